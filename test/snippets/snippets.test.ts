/** Every fenced block of the pages is run, as far as it can be; what is not says so behind its language. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { readSettings } from '@mayday/gateway';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { COMMAND_NAMES, printed } from '../../scripts/command-pages.ts';
import { type Block, blocksOf, fileOf, PAGES, patternOf, ROOT, type Step, stepsOf } from './blocks.ts';
import { noting } from './claims.ts';
import { GIVEN } from './given.ts';

const folder = `${ROOT}.tsc/snippets`;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const all = PAGES.flatMap(blocksOf);
const at = ({ page, line }: Block): string => `${page}:${line}`;
const of = (...languages: string[]): readonly Block[] =>
  all.filter(({ language }) => languages.includes(language));

/** What becomes of a block: by its language, and by the mark behind it. */
const KINDS: { readonly [language: string]: readonly string[] } = {
  ts: ['', 'checked', 'sketch'], // compiled and run; compiled, because it needs a network or a port; neither
  js: [''], // run by a test of its page
  yaml: [''], // settings that the gateway takes, or another program's file
  sh: ['', 'checked'], // run by a test of its page; its commands and flags exist
  console: ['', 'checked'], // run, and prints what is shown; its commands and flags exist, and what needs nothing else is run
  json: [''], // output, which parses
  jsonc: [''],
  text: [''], // output
  diff: [''],
  ini: [''],
  nginx: [''],
};

it('says of each block what it is: ts, js, yaml, sh, console, json, text, …', () => {
  const unknown = all.filter(({ language, mark }) => KINDS[language]?.includes(mark) !== true);
  expect(unknown.map((block) => `${at(block)} \`\`\`${block.language} ${block.mark}`)).toEqual([]);
});

it('leaves little out', () => {
  expect(
    of('ts')
      .filter(({ mark }) => mark === 'sketch')
      .map(({ page }) => page),
  ).toEqual([
    'docs/client.md', // four agent kits in one block
    'docs/server.md', // four web frameworks in one block
  ]);
  expect(new Set(of('js').map(({ page }) => page))).toEqual(
    new Set(['docs/oauth.md', 'docs/start/agent.md', 'docs/start/server.md']),
  );
});

it('has an example of every function that one of the five systems has to itself', () => {
  const page = readFileSync(`${ROOT}docs/dialects.md`, 'utf8');
  const [, part = ''] = page.split("## The five systems' own functions");
  for (const name of [
    'restError',
    'validateErrorCode',
    'errorCategory',
    'errorSeverity',
    'createErrorResponse',
    'closientWait',
    'envelopeFor',
    'retryDelay',
    'callWithRetry',
    'nodeHandler',
    'AdapterError',
  ])
    expect(part).toContain(`${name}(`);
});

it('takes nothing for granted that a package exports: blocks import it', async () => {
  const exported = await Promise.all([
    import('@mayday/core'),
    import('@mayday/core/redact'),
    import('@mayday/client'),
    import('@mayday/policy'),
    import('@mayday/server'),
    import('@mayday/store'),
    import('@modelcontextprotocol/client'),
    import('@modelcontextprotocol/server'),
  ]);
  const names = new Set(exported.flatMap((each) => Object.keys(each)));
  expect(Object.keys(GIVEN).filter((name) => names.has(name))).toEqual([]);
});

describe('TypeScript', () => {
  const shown = of('ts').filter(({ mark }) => mark !== 'sketch');
  const nameOf = (block: Block): string => at(block).replace(/\W/g, '-');
  /** The file that others on its page import. */
  const acme = shown.find(({ code }) => code.includes('export const acme'))?.code ?? '';

  /** Only the language, and nothing that the page takes for granted: compiles without Node's types. */
  function isPure({ code }: Block): boolean {
    const from = [...code.matchAll(/from '([^']+)'/g)].map((match) => match[1] as string);
    return (
      from.length > 0 &&
      from.every((name) => name.startsWith('@mayday/core')) &&
      !/\b(?:args|file)\b/.test(code)
    );
  }

  /** Against the packages as they are built: what a reader compiles against, and far less than their sources. */
  function compile(name: string, blocks: readonly Block[], types: readonly string[]): string {
    const home = `${folder}/${name}`;
    mkdirSync(home, { recursive: true });
    writeFileSync(`${home}/acme.ts`, acme);
    for (const block of blocks) writeFileSync(`${home}/${nameOf(block)}.ts`, `${block.code}\nexport {};\n`);
    const names = Object.keys(GIVEN).map(
      (given) => `var ${given}: Awaited<ReturnType<typeof GIVEN.${given}>>;`,
    );
    const given = `import type { GIVEN } from '../../../test/snippets/given.ts';\ndeclare global { ${names.join(' ')} }\n`;
    if (types.length > 0) writeFileSync(`${home}/given.d.ts`, given);
    const options = {
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2024', 'esnext.disposable', 'esnext.error', 'dom', 'dom.iterable'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types,
    };
    writeFileSync(`${home}/tsconfig.json`, JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));
    const tsc = `${ROOT}node_modules/typescript/bin/tsc`;
    const args = [tsc, '--checkers', '1', '-p', home];
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    return status === 0 ? stdout : `${stdout}(status ${status})`;
  }

  it('compiles under strict, as it stands', () => {
    expect(shown.filter(isPure).length).toBeGreaterThan(12);
    expect(compile('anywhere', shown.filter(isPure), [])).toBe('');
    expect(
      compile(
        'in-node',
        shown.filter((block) => !isPure(block)),
        ['node'],
      ),
    ).toBe('');
  }, 180_000);

  describe('runs, and gives the values that it shows', () => {
    const runnable = shown.filter(({ mark }) => mark === '');
    const notes: [string, unknown, unknown][] = [];

    beforeAll(() => {
      vi.spyOn(console, 'log').mockReturnValue(undefined);
      mkdirSync(`${folder}/run`, { recursive: true });
      writeFileSync(`${folder}/run/acme.ts`, acme);
      Object.assign(globalThis, { __note: (...note: [string, unknown, unknown]) => notes.push(note) });
    });
    afterAll(() => vi.restoreAllMocks());

    it.each(runnable.map((block) => [at(block), block] as const))('%s', { retry: 0 }, async (_, block) => {
      const { code, count } = noting(block.code);
      const given = Object.entries(GIVEN).filter(([name]) => new RegExp(`\\b${name}\\b`).test(code));
      for (const [name, make] of given) Object.assign(globalThis, { [name]: await make() });
      const file = `${folder}/run/${nameOf(block)}.ts`;
      writeFileSync(file, `${code}\nexport {};\n`);
      notes.length = 0;
      const isThrowing = /^throw /m.test(code);
      expect(
        await import(file).then(
          () => false,
          (thrown) => isThrowing || Promise.reject(thrown),
        ),
      ).toBe(isThrowing);
      expect(notes).toHaveLength(count);
      expect(notes.map(([line, value]) => [line, value])).toEqual(
        notes.map(([line, , said]) => [line, said]),
      );
    });

    it('which are many', () => {
      const shownValues = runnable.map(({ code }) => noting(code).count);
      expect(shownValues.reduce((sum, count) => sum + count)).toBeGreaterThan(30);
    });
  });
});

/** What a part of a file leaves to the rest of it. */
const REST: readonly (readonly [name: string, when: RegExp, rest: string])[] = [
  ['upstreams', /./, "upstreams: { a: { url: 'http://127.0.0.1:1/mcp' } }"],
  [
    'oauth',
    /token_audience/,
    "oauth: { resource: 'http://127.0.0.1:1', issuers: [{ name: i, issuer: 'http://127.0.0.1:2' }] }",
  ],
];

describe('settings', () => {
  const settings = of('yaml').filter((block) => (fileOf(block) ?? 'mayday.yaml') === 'mayday.yaml');
  const env = {
    MAYDAY_STORE_SECRET: 'sixteen-or-more-characters',
    OPS_KEY: 'a'.repeat(32),
    ANN_KEY: 'b'.repeat(32),
    GUEST_KEY: 'c'.repeat(32),
    SEARCH_TOKEN: 't',
    GITHUB_TOKEN: 't',
    STRIPE_KEY: 't',
    WEATHER_KEY: 't',
  };
  const baseDir = `${ROOT}.tsc/settings`;
  beforeAll(() => {
    mkdirSync(baseDir, { recursive: true });
    writeFileSync(`${baseDir}/our-authority.pem`, rootCertificates[0] ?? '');
  });
  afterAll(() => rmSync(baseDir, { recursive: true, force: true }));

  it.each(settings.map((block) => [at(block), block.code] as const))('%s', (_, code) => {
    const rest = REST.filter(([name, when]) => when.test(code) && !new RegExp(`^${name}:`, 'm').test(code));
    const whole = [code, ...rest.map(([, , text]) => text)].join('\n');
    expect(() => readSettings(whole, { env, baseDir })).not.toThrow();
  });
});

describe('commands', () => {
  const blocks = of('sh', 'console');

  it('are commands of mayday, with flags that they have', () => {
    const wrong: string[] = [];
    for (const block of blocks) {
      for (const [, name = '', words = ''] of block.code.matchAll(/\bmayday (\w+)([^\n|&#]*)/g)) {
        const help = COMMAND_NAMES.includes(name)
          ? readFileSync(`${ROOT}docs/commands/${name}.md`, 'utf8')
          : '';
        const [own = ''] = words.split(' -- ');
        const flags = [...own.matchAll(/ (--[a-z]+)/g)].map((match) => match[1] as string);
        if (help === '' || flags.some((flag) => !help.includes(flag)))
          wrong.push(`${at(block)}: mayday ${name}${words}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('are scripts of the package', () => {
    const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: object };
    const texts = PAGES.map((page) => readFileSync(`${ROOT}${page}`, 'utf8'));
    const named = texts.flatMap((text) =>
      [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map((match) => match[1] as string),
    );
    expect(named.filter((name) => !Object.hasOwn(scripts, name) && !name.endsWith(':'))).toEqual([]);
  });

  /** Needs nothing but what stands there. */
  const isPure = ({ command }: Step): boolean =>
    /^(?:echo '.*' \| )?mayday (?:read|translate|explain|redact|catalog)\b/.test(command) &&
    !/[<>]|\.json/.test(command);

  it('are run, where they do not say that they are only checked', () => {
    const unmarked = blocks.filter(({ mark, page }) => mark === '' && !/^docs\/(?:start\/|oauth)/.test(page));
    const notRun = unmarked.filter((block) => block.language === 'sh' || !stepsOf(block).every(isPure));
    expect(notRun.map(at)).toEqual([]);
  });

  const pure = of('console')
    .flatMap((block) => stepsOf(block).map((step) => ({ ...step, where: at(block) })))
    .filter((step) => isPure(step) && !step.where.startsWith('docs/commands/')); // which were made by running them

  it.each(pure.map(({ command, output, where }) => [where, command, output]))(
    '%s: %s',
    async (_, command, output) => {
      const text = (await printed(command)).trimEnd();
      expect(text).not.toBe('');
      expect(text).toMatch(output === '' ? /./ : patternOf(output));
    },
  );

  it('of which some print what the page says', () => {
    expect(pure.filter(({ output }) => output !== '').length).toBeGreaterThan(3);
  });
});

it('JSON is JSON, but for what is left out of it', () => {
  const wrong = of('json').filter(({ code }) => !code.includes('…') && !isJson(code) && !isJson(`{${code}}`));
  expect(wrong.map(at)).toEqual([]);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
