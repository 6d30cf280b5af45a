/** The certificate that the gateway shows, from two files. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Certificate } from '@mayday/relay';
import type { Report } from './problems.ts';
import type { Settings } from './settings.ts';

/** Where it is. */
export type CertificateFiles = Pick<Settings['listen'], 'certificate' | 'certificateKey'>;

/** Reads it; absent where none is named. Throws a sentence where it cannot be used. */
export function readCertificate({ certificate, certificateKey }: CertificateFiles): Certificate | undefined {
  if (certificate === undefined || certificateKey === undefined) return undefined;
  const cert = textOf(certificate);
  const key = textOf(certificateKey);
  const shown = parsed(certificate, 'holds no certificate in PEM', () => new X509Certificate(cert));
  const own = parsed(certificateKey, 'holds no private key in PEM', () => createPrivateKey(key));
  if (!shown.checkPrivateKey(own)) throw new Error(`${certificateKey} is not the key of ${certificate}`);
  return { cert, key };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw new Error(`${file} cannot be read (${(thrown as NodeJS.ErrnoException).code}); check the path`);
  }
}

function parsed<T>(file: string, otherwise: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new Error(`${file} ${otherwise}`);
  }
}

/** Finds out before anybody calls. */
export function checkCertificate({ listen }: Settings, report: Report): void {
  const { certificate, certificateKey } = listen;
  if (certificate === undefined && certificateKey === undefined) return;
  if (certificate === undefined || certificateKey === undefined) {
    const missing = certificate === undefined ? 'certificate' : 'certificate_key';
    report(['listen', missing], 'A certificate and its key are needed together');
    return;
  }
  try {
    readCertificate(listen);
  } catch (thrown) {
    report(['listen', 'certificate'], (thrown as Error).message);
  }
}
