/**
 * Large documents, as they were read, in the cache folder of whoever runs the gateway: the next start has
 * them at once. Nothing depends on it; what cannot be written or read is read from its source. Runs in a worker.
 */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../sha256.ts';
import type { ApiDocument, ApiRequestData } from './api-worker.ts';
import { stampOf } from './sources.ts';

/** Where what was read is kept, or nowhere. */
export interface KeptDocuments {
  read(request: ApiRequestData): Promise<ApiDocument | undefined>;
  /** Takes the document as it is now, and returns what writes it. */
  write(request: ApiRequestData, document: ApiDocument): () => Promise<void>;
}

/** The folder for caches of this user. */
export function cacheFolder(env: { readonly [name: string]: string | undefined } = process.env): string {
  const own = env['XDG_CACHE_HOME'];
  return join(own === undefined || own === '' ? join(homedir(), '.cache') : own, 'mayday', 'openapi');
}

const HEAD_LENGTH = 4;

/** Keeps documents in a folder. What another reader has read is none of this one: `reader` is the file of its code. */
export function keepDocuments(folder: string, reader: URL): KeptDocuments {
  async function fileOf({ source, given, keyHeader }: ApiRequestData): Promise<string> {
    const code = stampOf(await stat(reader));
    const name = JSON.stringify([code, reader.href, source, given, keyHeader]);
    return join(folder, `${sha256(name)}.bin`);
  }
  return {
    async read(request) {
      try {
        const file = await fileOf(request);
        const about = await stat(file);
        // What somebody else could have written would become tools.
        if (process.getuid !== undefined && (about.uid !== process.getuid() || (about.mode & 0o022) !== 0))
          return undefined;
        return fromBytes(await readFile(file));
      } catch {
        return undefined;
      }
    },
    write(request, document) {
      const bytes = toBytes(document);
      return async () => {
        const file = await fileOf(request);
        const half = `${file}.${randomUUID()}`;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await chmod(folder, 0o700);
        try {
          await writeFile(half, bytes, { mode: 0o600 });
          await rename(half, file);
        } finally {
          await rm(half, { force: true });
        }
        await dropOld(folder);
      };
    },
  };
}

const MAX_AGE_MS = 60 * 24 * 3_600_000;

/** What other readers have kept is of no use to anybody after a while. */
async function dropOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const { mtimeMs } = await stat(join(folder, name));
    if (Date.now() - mtimeMs > MAX_AGE_MS) await rm(join(folder, name), { force: true });
  }
}

/** The length of the head, the head, and what it says the rest is. */
function toBytes({ listed, details, ...head }: ApiDocument): Buffer {
  const rest = Buffer.concat([listed, details]);
  const said = Buffer.from(
    JSON.stringify({ ...head, sizes: [listed.length, details.length], digest: digestOf(rest) }),
  );
  const length = Buffer.alloc(HEAD_LENGTH);
  length.writeUInt32LE(said.length);
  return Buffer.concat([length, said, rest]);
}

function fromBytes(bytes: Buffer): ApiDocument | undefined {
  const start = HEAD_LENGTH + bytes.readUInt32LE(0);
  const head = JSON.parse(bytes.toString('utf8', HEAD_LENGTH, start)) as ApiDocument & {
    readonly sizes: readonly [number, number];
    readonly digest: string;
  };
  const { sizes, digest, ...document } = head;
  const rest = bytes.subarray(start);
  if (rest.length !== sizes[0] + sizes[1] || digestOf(rest) !== digest) return undefined;
  return {
    ...document,
    listed: new Uint8Array(rest.subarray(0, sizes[0])),
    details: new Uint8Array(rest.subarray(sizes[0])),
  };
}

function digestOf(bytes: Uint8Array): string {
  return sha256(bytes);
}
