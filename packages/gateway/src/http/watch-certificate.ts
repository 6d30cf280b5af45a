/** Certificates are renewed from time to time, by somebody who tells nobody. */
import { statSync } from 'node:fs';
import type { Certificate } from '@mayday/relay';
import { type CertificateFiles, readCertificate } from '../settings/certificate.ts';

const LOOK_MS = 10_000;

/** Looks from time to time whether the files are new, and hands them on; those that cannot be used change nothing. */
export function watchCertificate(
  listen: CertificateFiles,
  {
    renew,
    log,
  }: { readonly renew: (certificate: Certificate) => void; readonly log: (line: string) => void },
  everyMs: number = LOOK_MS,
): { close(): void } {
  const files = [listen.certificate, listen.certificateKey].filter((file) => file !== undefined);
  let seen = files.map(changedAt).join();
  const look = (): void => {
    const now = files.map(changedAt).join();
    if (now === seen) return;
    seen = now;
    try {
      renew(readCertificate(listen) as Certificate);
      log('certificate: a new one is shown from now on');
    } catch (thrown) {
      log(`certificate: the one before is still shown: ${(thrown as Error).message}`);
    }
  };
  const timer = files.length === 0 ? undefined : setInterval(look, everyMs).unref();
  return { close: () => clearInterval(timer) };
}

function changedAt(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false });
  return `${found?.ino} ${found?.mtimeMs} ${found?.size}`;
}
