/** The fenced blocks of the pages: what a reader copies, and what a page shows. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT: string = fileURLToPath(new URL('../../', import.meta.url));

/** The pages for users. What is in `reference/` has tests of its own. */
export const PAGES: readonly string[] = globSync(
  ['README.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'packages/*/README.md', 'site/src/content/docs/index.mdx'],
  { cwd: ROOT },
).sort();

/** One block. */
export interface Block {
  readonly page: string;
  /** Where its text starts. */
  readonly line: number;
  readonly language: string;
  /** What stands behind the language: `sketch` in "```ts sketch". */
  readonly mark: string;
  readonly code: string;
}

/** The blocks of a page, from top to bottom. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(`${ROOT}${page}`, 'utf8');
  return [...text.matchAll(/^```(\S*)(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [, language = '', mark = '', code = ''] = match;
    const line = text.slice(0, match.index).split('\n').length + 1;
    return { page, line, language, mark: mark.trim(), code };
  });
}

/** The name of the file that a block is, if its first line is a comment that says so. */
export function fileOf({ code }: Block): string | undefined {
  return /^(?:#|\/\/) ([\w./-]+\.\w+)\n/.exec(code)?.[1];
}

/** A command of a session, and what it prints. */
export interface Step {
  readonly command: string;
  readonly output: string;
}

/** The commands of a session: lines that start with `$ `, each with what stands below it. */
export function stepsOf({ code }: Block): readonly Step[] {
  return code
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = '', ...output] = step.split('\n');
      return { command: command.replace(/\s+# .*$/, ''), output: output.join('\n').trimEnd() };
    });
}

/** A text with `…` for what is left out, as a pattern. */
export function patternOf(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`);
}
