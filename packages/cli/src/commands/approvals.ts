/** `mayday approvals`: the calls that wait for a person's consent, and the decision about them. */
import type { ApprovalDocument } from '@mayday/gateway';
import { type Arguments, type Flags, parseArguments } from '../arguments.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import type { Io } from '../io/io.ts';
import { toJsonText } from '../io/json-text.ts';
import { didYouMean } from '../nearest.ts';
import { columns } from '../store/columns.ts';
import { DESK_FLAGS, DESK_HELP, type Desk, withDesk } from '../store/desk.ts';
import { answerOf } from '../store/said.ts';
import { visible } from '../style.ts';
import { UsageError } from '../usage-error.ts';

/** What `--help` prints. */
export const help: string = `mayday approvals [list]
mayday approvals approve ID
mayday approvals reject ID

Calls that wait for the consent of a person, because a rule with \`approve\` in the gateway's file says so: who makes
them, to which tool, with which arguments (without secrets; a digest tells two apart), and since when. One that is
approved goes through once, when its caller makes it again. Every decision is a row of the audit log (mayday audit).

${DESK_HELP}
  --json       answers in JSON
  -h, --help   this text

Example:
  $ mayday approvals approve 5f0c2a7e-93d1-4f6b-8a55-0b7e1d2c3f4a --store file:./mayday.db
`;

const FLAGS: Flags = { ...DESK_FLAGS, json: { type: 'boolean' } };

/** What can be decided, and how that is called once it is. */
const DECISIONS = { approve: 'approved', reject: 'rejected' } as const;

type Decision = keyof typeof DECISIONS;

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('approvals', words, FLAGS);
  const [action = 'list', id, extra] = parsed.positionals;
  const isDecision = Object.hasOwn(DECISIONS, action);
  if (action !== 'list' && !isDecision) {
    const known = ['list', ...Object.keys(DECISIONS)];
    throw new UsageError(
      `\`mayday approvals\` cannot ${JSON.stringify(action.slice(0, 40))}; ${didYouMean(action, known)}`,
    );
  }
  if ((id !== undefined) !== isDecision || extra !== undefined)
    throw new UsageError(`write \`mayday approvals ${action}${isDecision ? ' ID' : ''}\``);
  return withDesk(parsed, { isMade: false }, (desk) =>
    id === undefined ? list(desk, parsed, io) : decide(desk, action as Decision, id, parsed, io),
  );
}

async function list(desk: Desk, parsed: Arguments, io: Io): Promise<ExitCode> {
  const { approvals: waiting } = answerOf(await desk.ask<Waiting>('GET', '/approvals'));
  if (isJson(parsed)) await io.write(`${toJsonText({ approvals: waiting }, 2)}\n`);
  else if (waiting.length === 0) io.note('Nothing waits for approval.');
  else await io.write(columns([HEAD, ...waiting.map(lineOf)]));
  return EXIT.done;
}

const HEAD: readonly string[] = ['ID', 'CALLER', 'TOOL', 'SINCE', 'UNTIL', 'ARGUMENTS'];

function lineOf({ id, caller, tool, asked_at, expires_at, arguments: given }: ApprovalDocument): string[] {
  return [id, caller ?? '-', tool, asked_at, expires_at, given === null ? '-' : toJsonText(given)];
}

interface Waiting {
  readonly approvals: readonly ApprovalDocument[];
}

async function decide(
  desk: Desk,
  decision: Decision,
  id: string,
  parsed: Arguments,
  io: Io,
): Promise<ExitCode> {
  const said = await desk.ask<Pick<ApprovalDocument, 'caller' | 'tool'>>(
    'POST',
    `/approvals/${encodeURIComponent(id)}/${decision}`,
  );
  if (!said.ok && said.fault.kind === 'not_found') return no(io, parsed, id);
  const decided = answerOf(said);
  const { caller, tool } = decided;
  if (isJson(parsed)) await io.write(`${toJsonText(decided, 2)}\n`);
  const who = caller === null ? 'the caller' : visible(caller);
  const then =
    decision === 'approve' ? `it goes through once, when ${who} makes it again` : `${who} is told so`;
  io.note(`The call of ${who} to ${visible(tool)} is ${DECISIONS[decision]}; ${then}.`);
  return EXIT.done;
}

async function no(io: Io, parsed: Arguments, id: string): Promise<ExitCode> {
  if (isJson(parsed)) await io.write(`${toJsonText({ id, found: false }, 2)}\n`);
  io.note(
    `mayday: nothing waits under the id ${JSON.stringify(id.slice(0, 40))}; \`mayday approvals\` lists what does`,
  );
  return EXIT.negative;
}

function isJson({ values }: Arguments): boolean {
  return values['json'] === true;
}
