/** A client at the command's own input and output, before one server: `bank`, unless it is told which. */
import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { type SettingsFile, startStdioGateway } from '../src/index.ts';
import { INITIALIZE, later, settingsOf } from './tools.ts';

type Said = { readonly [key: string]: unknown };

/** Opens a conversation. `ask` waits for the answer, `say` does not. */
export async function spokenTo(
  upstreams: SettingsFile['upstreams'],
  {
    dialect,
    access,
    root = 'bank',
  }: {
    readonly dialect?: string;
    readonly access?: SettingsFile['access'];
    readonly root?: string;
  } = {},
): Promise<{ ask: (message: object) => Promise<Said>; say: (message: object) => void }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines: Said[] = [];
  output.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n').filter(Boolean)) lines.push(JSON.parse(line));
  });
  const settings = settingsOf({
    upstreams,
    access,
    ...(dialect === undefined ? {} : { dialect }),
  } as SettingsFile);
  const gateway = await startStdioGateway(settings, { input, output, root });
  later(() => gateway.close(0));
  const say = (message: object): void => void input.write(`${JSON.stringify(message)}\n`);
  const ask = async (message: object): Promise<Said> => {
    const { id } = message as Said;
    const before = lines.length;
    const answer = (): Said | undefined => lines.slice(before).find((line) => line['id'] === id);
    say(message);
    await expect.poll(answer, { timeout: 10_000 }).toBeDefined();
    return answer() ?? {};
  };
  await ask(INITIALIZE);
  say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return { ask, say };
}
