import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Arrows point one way: a package may use these, and nothing else of ours. */
const ALLOWED: { readonly [name: string]: readonly string[] } = {
  core: [],
  policy: ['core'],
  store: ['core', 'policy'],
  server: ['core', 'policy'],
  client: ['core', 'policy'],
  relay: ['core', 'policy'],
  gateway: ['core', 'policy', 'store', 'server', 'client', 'relay', 'console'],
  console: [],
  cli: ['core', 'policy', 'store', 'server', 'client', 'relay', 'gateway'],
};

/** The pages are built with these in them: whoever installs them needs none. */
const BUILT_WITH: { readonly [name: string]: readonly string[] } = { console: ['@mayday/core'] };

/**
 * What a project may have beside ours, from the oldest that was tried. A range keeps out whoever has another version, also
 * where it is optional and never used: only what is loaded is here. Of what is only handed over, the types are our own.
 */
const PEERS: { readonly [name: string]: { readonly [peer: string]: string } } = {
  client: {
    '@langchain/core': '>=0.2.0',
    '@modelcontextprotocol/client': '^2.0.0',
    '@modelcontextprotocol/sdk': '^1.10.0',
    '@opentelemetry/api': '^1.3.0',
  },
  server: {
    '@modelcontextprotocol/sdk': '^1.17.5',
    '@modelcontextprotocol/server': '^2.0.0',
    '@opentelemetry/api': '^1.3.0',
  },
};

const root = new URL('../packages/', import.meta.url);
const packages = readdirSync(root).filter((name) => existsSync(new URL(`${name}/package.json`, root)));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: { readonly [name: string]: string };
  readonly peerDependencies?: { readonly [name: string]: string };
  readonly peerDependenciesMeta?: { readonly [name: string]: { readonly optional?: boolean } };
  readonly engines?: { readonly node?: string };
}

function manifest(name: string): Manifest {
  return JSON.parse(readFileSync(new URL(`${name}/package.json`, root), 'utf8'));
}

function sources(name: string): string[] {
  const folder = new URL(`${name}/src/`, root);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(new URL(file, folder), 'utf8'));
}

it('no README links to what its tarball does not have', () => {
  const away = packages.flatMap((name) => {
    const readme = readFileSync(new URL(`${name}/README.md`, root), 'utf8');
    return [...readme.matchAll(/\]\((\.\.[^)]*)\)/g)].map((match) => `${name}: ${match[1]}`);
  });
  expect(away).toEqual([]);
});

describe('the package graph', () => {
  it('knows every package', () => {
    expect(packages.filter((name) => !Object.hasOwn(ALLOWED, name))).toEqual([]);
    expect(packages).toContain('core');
  });

  it.each(packages)('%s depends only on what is below it', (name) => {
    const { dependencies = {}, peerDependencies = {} } = manifest(name);
    const ours = Object.keys({ ...dependencies, ...peerDependencies }).filter((dependency) =>
      dependency.startsWith('@mayday/'),
    );
    expect(ours.filter((dependency) => !ALLOWED[name]?.includes(dependency.replace('@mayday/', '')))).toEqual(
      [],
    );
  });

  it.each(packages)('%s imports only what it declares, and nobody’s src', (name) => {
    const { dependencies = {}, peerDependencies = {} } = manifest(name);
    const declared = new Set([
      ...Object.keys({ ...dependencies, ...peerDependencies }),
      ...(BUILT_WITH[name] ?? []),
    ]);
    const imported = sources(name).flatMap((source) => [
      ...source.matchAll(/from '(@mayday\/[\w-]+)([^']*)'/g),
    ]);
    expect(
      imported
        .filter((match) => !declared.has(match[1] as string) || match[2]?.includes('src'))
        .map((match) => match[0]),
    ).toEqual([]);
  });

  it.each(packages)('%s stands beside what projects have, and needs none of it', (name) => {
    const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest(name);
    expect(peerDependencies).toEqual(PEERS[name] ?? {});
    expect(peerDependenciesMeta).toEqual(
      Object.fromEntries(Object.keys(PEERS[name] ?? {}).map((peer) => [peer, { optional: true }])),
    );
  });

  it.each(Object.keys(PEERS))('%s imports no package that a user does not have', (name) => {
    const { dependencies = {}, peerDependencies = {} } = manifest(name);
    const declared = Object.keys({ ...dependencies, ...peerDependencies });
    const imported = sources(name).flatMap((source) =>
      [...source.matchAll(/ from '((?:@[\w-]+\/)?[\w-]+)[^':]*'/g)].map((match) => match[1] as string),
    );
    expect([...new Set(imported)].filter((one) => !declared.includes(one))).toEqual([]);
  });

  it('core imports nothing at all: no package, no builtin of Node', () => {
    const outside = sources('core').flatMap((source) =>
      [...source.matchAll(/^(?:import|export)[^;]*? from '([^.'][^']*)'/gm)].map((match) => match[1]),
    );
    expect(outside).toEqual([]);
    expect(manifest('core').dependencies ?? {}).toEqual({});
  });

  it('policy imports core alone: no MCP, no builtin of Node', () => {
    const outside = sources('policy').flatMap((source) =>
      [...source.matchAll(/^(?:import|export)[^;]*? from '([^.'][^']*)'/gm)].map((match) => match[1]),
    );
    expect(outside).toContain('@mayday/core');
    expect(outside.filter((name) => !/^@mayday\/core(?:\/[a-z]+)?$/.test(name ?? ''))).toEqual([]);
  });

  it('the gateway knows of the console where its files are, and the console nothing of the gateway', () => {
    const known = sources('gateway').flatMap((source) => [...source.matchAll(/^.*'@mayday\/console.*$/gm)]);
    expect(known.map(([line]) => line)).toEqual(["import { PAGES } from '@mayday/console';"]);
    expect(sources('console').filter((source) => source.includes('@mayday/gateway'))).toEqual([]);
    expect(manifest('console').dependencies ?? {}).toEqual({});
  });

  it('a store is loaded only where one is configured: nobody else pays for it', () => {
    const loaded = sources('gateway').flatMap((source) => [
      ...source.matchAll(/^(?:import|export) (?!type )[^;]*? from '@mayday\/store'/gm),
    ]);
    expect(loaded).toEqual([]);
  });

  it('all packages share one version and one floor for Node, which the README names', () => {
    const versions = new Set(packages.map((name) => manifest(name).version));
    expect(versions.size).toBe(1);
    expect([...new Set(packages.map((name) => manifest(name).engines?.node))]).toEqual(['>=20']);
    expect(readFileSync(new URL('../README.md', import.meta.url), 'utf8')).toContain('Node 20 or newer');
  });

  it('the pinned Node is the one in .nvmrc', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(new URL('../package.json', root), 'utf8'));
    const majors = Object.values(optionalDependencies as Record<string, string>).map(
      (version) => version.split('.')[0],
    );
    expect(new Set(majors)).toEqual(new Set([readFileSync(new URL('../.nvmrc', root), 'utf8').trim()]));
  });
});
