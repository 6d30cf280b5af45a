/** What libraries throw that hand on the body of an answer, as it came or as members of an exception. */
import { isOfValidator } from './arguments.ts';
import { describe } from './describe.ts';
import { isRecord, look, lookOwn } from './look.ts';
import { isDatabase } from './operator.ts';
import { saidIn } from './said-in-bodies.ts';

const MOST = 10;
const LONGEST = 500;

/** Members of a validator's complaint, whose judge knows more than its words say. */
const OF_VALIDATORS = ['path', 'instancePath', 'schemaPath', 'keyword', 'constraints', 'schema', 'value'];

/** The sentences of such a body, each by itself; `undefined` where there is none. A driver's and a validator's are no bodies. */
export function sentencesOf(reason: unknown): readonly string[] | undefined {
  if (!isRecord(reason) || look(reason, 'response') !== undefined) return undefined;
  const about = describe(reason);
  if (about.name === 'AggregateError' || isOfValidator(reason) || isDatabase(reason, about)) return undefined;
  const errors = lookOwn(reason, 'errors');
  const found = Array.isArray(errors) ? errors : [lookOwn(reason, 'error') ?? lookOwn(reason, 'detail')];
  if (found.length === 0 || found.length > MOST) return undefined;
  const said = found.map(sentenceOf);
  return said.every((words) => words !== undefined) ? said : undefined;
}

function sentenceOf(part: unknown): string | undefined {
  if (isRecord(part) && OF_VALIDATORS.some((name) => look(part, name) !== undefined)) return undefined;
  const { words } = saidIn(part);
  return words === undefined || words.length > LONGEST ? undefined : words;
}
