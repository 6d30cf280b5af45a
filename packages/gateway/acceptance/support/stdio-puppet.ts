/** A puppet over standard input and output; its options are JSON in the environment variable `PUPPET`. */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Message } from './http.ts';
import { completed, filled, type PuppetOptions, type Step, scriptOf } from './puppet.ts';

const options = JSON.parse(process.env['PUPPET'] ?? '{}') as PuppetOptions;

const asked = new Map<string, (answer: Message) => void>();

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = parsed(line);
  if (message === undefined) return;
  if (message['method'] === undefined) return asked.get(String(message['id']))?.(message);
  if (message['id'] === undefined) return noted(message);
  perform(message, scriptOf(message, options)).catch((error: Error) =>
    process.stderr.write(`${error.message}\n`),
  );
});

function noted(message: Message): void {
  if (options.ledger !== undefined) appendFileSync(options.ledger, `note:${message['method']}\n`);
}

async function perform(message: Message, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if ('hang' in step) return;
    if ('wait' in step) await new Promise((resolve) => setTimeout(resolve, step.wait));
    if ('exit' in step) process.exit(step.exit);
    if ('reset' in step) process.exit(1);
    if ('stderr' in step) process.stderr.write(`${step.stderr}\n`);
    for (const line of linesOf(step, message)) process.stdout.write(`${line}\n`);
    if ('asks' in step) await ask(message, step.asks);
    if ('bytes' in step) process.stdout.write(Buffer.from(step.bytes, 'base64'));
  }
}

async function ask(message: Message, request: object): Promise<void> {
  const id = `ask-${asked.size}`;
  const answer = new Promise<Message>((resolve) => asked.set(id, resolve));
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
  const text = JSON.stringify((await answer)['result']);
  process.stdout.write(`${completed({ result: { content: [{ type: 'text', text }] } }, message)}\n`);
}

function linesOf(step: Step, message: Message): readonly string[] {
  if ('answer' in step) return [completed(step.answer, message)];
  if ('events' in step) return step.events.map((event) => completed(event, message));
  return 'say' in step ? [filled(step.say, message)] : [];
}

function parsed(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}
