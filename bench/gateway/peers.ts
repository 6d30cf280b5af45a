/** Other programs to compare with: fetched once into a cache, left out with a sentence where that fails. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../.cache/bench-peers', import.meta.url));
const PACKAGES = ['mcp-proxy@6.7.19', 'supergateway@4.0.0'];

/** The scripts of the npm peers; `undefined` when they cannot be had. */
export function npmPeers(): { readonly mcpProxy: string; readonly supergateway: string } | undefined {
  const paths = {
    mcpProxy: join(CACHE, 'node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs'),
    supergateway: join(CACHE, 'node_modules/supergateway/dist/index.js'),
  };
  if (!existsSync(paths.mcpProxy) || !existsSync(paths.supergateway)) {
    try {
      mkdirSync(CACHE, { recursive: true });
      writeFileSync(join(CACHE, 'package.json'), '{"private":true}');
      execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', ...PACKAGES], {
        cwd: CACHE,
        stdio: 'ignore',
      });
    } catch {
      return undefined; // no registry: the bench says that it could not compare
    }
  }
  return existsSync(paths.mcpProxy) && existsSync(paths.supergateway) ? paths : undefined;
}

/** The command line of nginx in front of a port; `undefined` when it is not installed. */
export function nginx(port: number, upstream: number): { command: string; args: string[] } | undefined {
  const command = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find(existsSync);
  if (command === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'mayday-nginx-'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `worker_processes 1; daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
  access_log off; keepalive_requests 1000000000; keepalive_timeout 60s;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  upstream raw { server 127.0.0.1:${upstream}; keepalive 64; keepalive_requests 1000000000; }
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://raw; proxy_http_version 1.1; proxy_set_header Connection ""; } }
}
`,
  );
  return { command, args: ['-c', file] };
}
