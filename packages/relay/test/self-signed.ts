/** A certificate for this machine that nobody else trusts, made anew for every run. */
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...contents: readonly Buffer[]): Buffer => der(0x30, ...contents);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date): Buffer =>
  der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));

/** A key and a certificate for `localhost` and 127.0.0.1. */
export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302')); // ecdsa-with-SHA256
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('localhost')))));
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1])));
  const basic = sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.from([0xff])))));
  const alternative = sequence(oid('551d11'), der(0x04, names));
  const day = 24 * 60 * 60 * 1000;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(basic, alternative)),
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
