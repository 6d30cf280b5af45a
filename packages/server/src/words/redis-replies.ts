/**
 * Replies of Redis to a command that was made from the arguments. They name neither a key nor a value: the command that the client
 * kept does, or there is an argument for what they speak of.
 */
import type { Kind } from '@mayday/core';
import { isRecord, look } from './look.ts';
import { textsIn } from './sent.ts';

/** A reply, what it is, and the arguments that it may be over. */
type Reply = readonly [said: RegExp, kind: Kind, over: RegExp];

const REPLIES: readonly Reply[] = [
  [
    /^WRONGTYPE Operation against a key holding the wrong kind of value$/,
    'invalid_arguments',
    /^(?:keys?|streams?|lists?|z?sets?|hash(?:es)?|queues?)$/,
  ],
  [/^ERR index out of range$/, 'invalid_arguments', /^(?:index|idx|position|pos|offset)$/],
  [/^ERR (?:DB index is out of range|invalid DB index)$/, 'invalid_arguments', /^(?:db|database|index)$/],
  [/^BUSYGROUP Consumer Group name already exists$/, 'conflict', /^(?:groups?|consumers?)$/],
  [
    /^ERR (?:increment or decrement would overflow|increment would produce NaN or Infinity)$/,
    'invalid_arguments',
    /^(?:amount|by|increment|decrement|delta|step|value)$/,
  ],
  [/^ERR min or max is not a float$/, 'invalid_arguments', /^(?:min|max|start|stop|end|range|scores?)$/],
  [
    /^ERR source and destination objects are the same$/,
    'invalid_arguments',
    /^(?:source|src|dest|destination|target|keys?)$/,
  ],
  [/^ERR timeout is negative$/, 'invalid_arguments', /^(?:timeout|block|wait)$/],
];

/** Whoever sends a command may be told all that is said of it. */
const COMMAND = /^(?:commands?|cmd)$/;

/** What a reply is over something that the caller sent; `undefined` where it is none, or over something of the server's own. */
export function overReply(reason: unknown, message: string, sent: unknown): Kind | undefined {
  const words = bare(message);
  const [, kind, over] = REPLIES.find(([said]) => said.test(words)) ?? [];
  if (kind === undefined || over === undefined || !isRecord(sent)) return undefined;
  const args = look(look(reason, 'command'), 'args');
  if (Array.isArray(args)) {
    const texts = textsIn(sent);
    return args.some((arg) => texts.includes(String(arg))) ? kind : undefined;
  }
  const isFor = (name: string): boolean => over.test(name) || COMMAND.test(name);
  return Object.keys(sent).some((name) => isFor(lastWord(name))) ? kind : undefined;
}

/** Replies to a command that is none, or that lacks something: whoever has not sent one did not word it. */
const COMMANDS =
  /^ERR (?:unknown (?:sub)?command(?: or wrong number of arguments for)?|wrong number of arguments for) ['"`]?([\w|-]{1,60})/i;

/** Is it a command of the server's own that Redis does not take? */
export function isOwnCommand(message: string, sent: unknown): boolean {
  const name = COMMANDS.exec(bare(message))?.[1]?.toLowerCase();
  if (name === undefined) return false;
  if (isRecord(sent) && Object.keys(sent).some((one) => COMMAND.test(lastWord(one)))) return false;
  return !textsIn(sent).some((text) => text.toLowerCase().includes(name));
}

/** A reply without what clients put before it. */
function bare(message: string): string {
  return message.replace(/^(?:(?:Redis)?(?:Reply|Simple)?Error(?:Reply)?: ){1,2}/, '').replace(/\.$/, '');
}

/** `sourceKey` and `source_key` are keys. */
function lastWord(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').split(/[^A-Za-z\d]+/);
  return (
    words
      .filter((word) => word !== '' && !/^name$/i.test(word))
      .at(-1)
      ?.toLowerCase() ?? ''
  );
}
