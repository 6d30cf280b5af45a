/** A file of application-defined errors: a JSON array of {code, kind, subject?, meaning, retryable?}. */
import { isKind, KIND_NAMES } from '@mayday/core';
import type { ApplicationDefinition } from '@mayday/core/catalog';
import { didYouMean } from '../nearest.ts';
import { UsageError } from '../usage-error.ts';
import { readJsonFile } from './json-file.ts';

/** The definitions in a file; a sentence about the first thing that is wrong with it. */
export async function readDefinitions(path: string): Promise<readonly ApplicationDefinition[]> {
  const value = await readJsonFile(path, 'definitions');
  if (!Array.isArray(value)) {
    throw new UsageError(`${path} holds no list; write a JSON array of {code, kind, meaning}`);
  }
  const seen = new Set<string>();
  return value.map((item: unknown, index) => {
    const definition = checked(item, `${path}, item ${index + 1}`);
    const code = String(definition.code);
    if (seen.has(code)) throw new UsageError(`${path} defines ${code} twice; keep one of them`);
    seen.add(code);
    return definition;
  });
}

function checked(item: unknown, where: string): ApplicationDefinition {
  const value = (typeof item === 'object' && item !== null ? item : {}) as {
    readonly [key: string]: unknown;
  };
  const { code, name, kind, subject, meaning, retryable } = value;
  const expect = (holds: boolean, member: string, what: string): void => {
    if (!holds) throw new UsageError(`${where}: expected \`${member}\` to be ${what}`);
  };
  expect(
    (typeof code === 'string' && code !== '') || Number.isSafeInteger(code),
    'code',
    'a name or an integer',
  );
  expect(typeof meaning === 'string' && meaning !== '', 'meaning', 'a sentence');
  expect(name === undefined || typeof name === 'string', 'name', 'a string, if there is one');
  expect(subject === undefined || typeof subject === 'string', 'subject', 'a string, if there is one');
  expect(
    retryable === undefined || typeof retryable === 'boolean',
    'retryable',
    'true or false, if it is set',
  );
  if (!isKind(kind)) {
    throw new UsageError(
      `${where}: there is no kind ${JSON.stringify(kind)}; ${didYouMean(String(kind), KIND_NAMES)}`,
    );
  }
  return { ...(value as unknown as ApplicationDefinition), kind };
}
