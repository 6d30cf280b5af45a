import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watchCertificate } from '../../src/http/watch-certificate.ts';
import { resolveSettings, SettingsError, startGateway } from '../../src/index.ts';

/** For these tests alone: nobody trusts it. In a folder of its own, where it can be renewed. */
function certificate(name: 'first' | 'second'): { readonly cert: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-tls-'));
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  copyFileSync(join(import.meta.dirname, `../certificates/${name}.cert.pem`), files.cert);
  copyFileSync(join(import.meta.dirname, `../certificates/${name}.key.pem`), files.key);
  return files;
}

const upstreams = { echo: { command: process.execPath } };

function settingsWith(files: { readonly cert: string; readonly key: string }) {
  const listen = { port: 0, certificate: files.cert, certificate_key: files.key };
  return resolveSettings({ listen, upstreams }).settings;
}

function get(url: string, ca: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { ca, agent: false }, (response) => {
      let text = `${response.statusCode} `;
      response.on('data', (chunk) => {
        text += String(chunk);
      });
      response.on('end', () => resolve(text));
    });
    sent.on('error', reject).end();
  });
}

function shownAt(port: number): Promise<PeerCertificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate());
      socket.end();
    });
    socket.on('error', reject);
  });
}

it('speaks HTTPS with a certificate, and nothing else', async () => {
  const files = certificate('first');
  const gateway = await startGateway(settingsWith(files));
  onTestFinished(() => gateway.close(0));
  expect(gateway.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await get(`${gateway.url}/-/health`, readFileSync(files.cert))).toMatch(/^200 /);
  await expect(fetch(`${gateway.url.replace('https:', 'http:')}/-/health`)).rejects.toThrow();
});

it('shows a certificate that was renewed, and keeps the one before where the new one cannot be used', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const [files, next] = [certificate('first'), certificate('second')];
  const log: string[] = [];
  const gateway = await startGateway(settingsWith(files), { onLog: (line) => log.push(line) });
  onTestFinished(() => gateway.close(0));
  const port = Number(new URL(gateway.url).port);
  expect((await shownAt(port)).subject.CN).toBe('first');
  copyFileSync(next.cert, files.cert);
  vi.advanceTimersByTime(10_000);
  expect(log.at(-1)).toContain('the one before is still shown');
  expect((await shownAt(port)).subject.CN).toBe('first');
  copyFileSync(next.key, files.key);
  vi.advanceTimersByTime(10_000);
  expect(log.at(-1)).toContain('a new one is shown from now on');
  expect((await shownAt(port)).subject.CN).toBe('second');
});

it.each([
  ['no file', { certificate: '/no/such.pem', certificate_key: '/no/such.key' }, 'cannot be read (ENOENT)'],
  ['half of it', { certificate: '/no/such.pem' }, 'A certificate and its key are needed together'],
  [
    'something else',
    { certificate: import.meta.filename, certificate_key: import.meta.filename },
    'holds no certificate',
  ],
])('says of %s what is wrong', (_what, files, says) => {
  expect(() => resolveSettings({ listen: files, upstreams })).toThrow(SettingsError);
  expect(() => resolveSettings({ listen: files, upstreams })).toThrow(says);
});

it('refuses a key of another certificate', () => {
  const [one, other] = [certificate('first'), certificate('second')];
  expect(() => settingsWith({ cert: one.cert, key: other.key })).toThrow('is not the key of');
});

it('watches nothing where there is no certificate', () => {
  const renew = vi.fn();
  watchCertificate({ certificate: undefined, certificateKey: undefined }, { renew, log: renew }, 1).close();
  expect(renew).not.toHaveBeenCalled();
});
