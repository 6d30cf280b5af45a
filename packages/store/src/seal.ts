/** Seals what has to be given away again: AES-256-GCM, with a key that is derived from a secret. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import type { CredentialName } from './ports.ts';
import { packed } from './text.ts';

/** Seals and opens for one owner: what was sealed for another does not open. */
export interface Sealer {
  seal(name: CredentialName, plain: string): Promise<string>;
  /** `undefined` where it was sealed with another secret or for another owner, or was changed. */
  open(name: CredentialName, sealed: string): Promise<string | undefined>;
}

const MIN_SECRET = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** All nodes on one store derive the same key; a store that is stolen costs whoever guesses the secret this much a guess. */
const SALT = 'mayday store credentials';
const COST = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const VERSION = 'v1';

/** A sealer. The key is derived when it is first needed, once. */
export function createSealer(secret: string): Sealer {
  if (typeof secret !== 'string' || secret.length < MIN_SECRET)
    throw new TypeError(`Expected \`secret\` to be ${MIN_SECRET} or more characters`);
  let derived: Promise<Buffer> | undefined;
  const keyOf = (): Promise<Buffer> => {
    derived ??= derive(secret);
    return derived;
  };
  return {
    async seal(name, plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', await keyOf(), nonce).setAAD(boundTo(name));
      const body = Buffer.concat([cipher.update(packed(plain), 'utf8'), cipher.final()]);
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    async open(name, sealed) {
      const [version, text = ''] = sealed.split('.');
      const bytes = Buffer.from(text, 'base64url');
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const key = await keyOf();
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(name)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
        return JSON.parse(Buffer.concat([body, decipher.final()]).toString('utf8'));
      } catch {
        return undefined;
      }
    },
  };
}

function boundTo({ caller, upstream }: CredentialName): Buffer {
  return Buffer.from(packed([VERSION, caller, upstream]));
}

function derive(secret: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, SALT, 32, COST, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
