/**
 * Completes package-lock.json, the site's too: `npm run lock`, with `--check` only compares.
 *
 * Tools ship their binaries as one optional package a platform. A registry mirror that lacks the packages of other
 * platforms makes `npm install` leave them out of the lock, and `npm ci` then refuses the lock everywhere. The entries
 * need no more than a version and the platform: npm fetches only what fits the machine.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Entry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: { readonly [name: string]: string };
}

interface Lock {
  readonly packages: { [path: string]: Entry };
}

const OS: readonly string[] = [
  'android',
  'darwin',
  'win32',
  'freebsd',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'aix',
  'linux',
];
const CPU: readonly (readonly [part: string, cpu: string])[] = [
  ['wasm32', 'wasm32'],
  ['arm64', 'arm64'],
  ['arm', 'arm'],
  ['x64', 'x64'],
  ['ia32', 'ia32'],
  ['riscv64', 'riscv64'],
  ['ppc64', 'ppc64'],
  ['s390x', 's390x'],
  ['loong64', 'loong64'],
];

/** The locks of the repository, and of the site. */
const LOCKS: readonly string[] = ['package-lock.json', 'site/package-lock.json'];

/** The optional packages that some locked package names and the lock does not hold. */
export function missingFrom(
  lock: Lock,
): { readonly name: string; readonly version: string; readonly dev: boolean }[] {
  const missing = new Map<string, { name: string; version: string; dev: boolean }>();
  for (const [parent, entry] of Object.entries(lock.packages)) {
    for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
      if (isLocked(lock, parent, name)) continue;
      missing.set(name, { name, version: range.replace(/^[\^~>=]+/, ''), dev: entry.dev === true });
    }
  }
  return [...missing.values()];
}

/** Node's own way: beside the parent, then one folder up at a time. */
function isLocked(lock: Lock, parent: string, name: string): boolean {
  for (let base = parent; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    if (Object.hasOwn(lock.packages, `${base === '' ? '' : `${base}/`}node_modules/${name}`)) return true;
    if (base === '') return false;
  }
}

/** The platform, which is part of the name of such a package. */
function platformOf(name: string): object {
  const os = OS.find((candidate) => name.includes(candidate));
  const cpu = CPU.find(([part]) => name.includes(part))?.[1];
  const libc = name.includes('musl') ? 'musl' : name.includes('gnu') && os === 'linux' ? 'glibc' : undefined;
  const isWasm = cpu === 'wasm32';
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(os === undefined || isWasm ? {} : { os: [os] }),
    ...(libc === undefined ? {} : { libc: [libc] }),
  };
}

function complete(lock: Lock): number {
  const missing = missingFrom(lock);
  for (const { name, version, dev } of missing) {
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(dev ? { dev } : {}),
      optional: true,
      ...platformOf(name),
    };
  }
  return missing.length;
}

/** Completes one lock, unless it is only to be compared; the number of entries that were missing. */
function completeFile(name: string, check: boolean): number {
  const path = new URL(`../${name}`, import.meta.url);
  const lock: Lock = JSON.parse(readFileSync(path, 'utf8'));
  const added = complete(lock);
  const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (added > 0 && !check) writeFileSync(path, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
  return added;
}

if (import.meta.main) {
  const check = process.argv.includes('--check');
  for (const name of LOCKS) {
    const added = completeFile(name, check);
    const said = added === 0 ? 'complete' : `${added} platform packages were missing`;
    process.stdout.write(`${name}: ${said}\n`);
    if (added > 0 && check) process.exitCode = 1;
  }
}
