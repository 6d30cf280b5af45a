import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A small server without an SDK, as a file in this folder: its tools answer with their own names. */
export function plainServer(folder: string, tools: readonly string[]): string {
  const file = join(folder, 'server.mjs');
  const listed = tools.map((name) => ({ name, inputSchema: { type: 'object' } }));
  writeFileSync(
    file,
    `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
  const result = method === 'initialize' ? opened : method === 'tools/list' ? { tools: ${JSON.stringify(listed)} }
    : { content: [{ type: 'text', text: params?.name }] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`,
  );
  return file;
}
