/** Whoever calls, each with its default options. */
import { httpTransport, resilient } from '@mayday/client';
import { resilientTools } from '@mayday/client/ai-sdk';
import { httpTransport as httpTransportV1, resilient as resilientV1 } from '@mayday/client/v1';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';

/** Where a server is: an address, or a command. */
export type Target =
  | { readonly url: string }
  | { readonly command: string; readonly args: readonly string[] };

/** Calls a tool once; says whether it succeeded. */
export type Caller = (target: Target, tool: string, args: { [name: string]: unknown }) => Promise<boolean>;

const INFO = { name: 'agent', version: '1.0.0' };

const stdio = (target: Extract<Target, { command: string }>) => ({
  command: target.command,
  args: [...target.args],
  stderr: 'ignore' as const,
});

const overV1: Caller = async (target, name, args) => {
  const client = resilientV1(new ClientV1(INFO), {
    transport: () => ('url' in target ? httpTransportV1(target.url) : new StdioV1(stdio(target))) as never,
  });
  return ours(client as never, name, args);
};

const overV2: Caller = async (target, name, args) => {
  const client = resilient(new Client(INFO), {
    transport: () => ('url' in target ? httpTransport(target.url) : new StdioClientTransport(stdio(target))),
  });
  return ours(client as never, name, args);
};

interface Ours {
  connect(): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<unknown>;
  call(params: object): Promise<{ readonly ok: boolean }>;
}

async function ours(client: Ours, name: string, args: object): Promise<boolean> {
  await client.connect();
  await client.listTools();
  const { ok } = await client.call({ name, arguments: args });
  await client.close();
  return ok;
}

async function connected(target: Target): Promise<Client> {
  const client = new Client(INFO);
  await client.connect(
    'url' in target
      ? new StreamableHTTPClientTransport(new URL(target.url))
      : new StdioClientTransport(stdio(target)),
  );
  return client;
}

/** The official client, with nothing of ours around it. */
const alone: Caller = async (target, name, args) => {
  const client = await connected(target);
  await client.listTools();
  const ok = await client.callTool({ name, arguments: args }).then(
    ({ isError }) => isError !== true,
    () => false,
  );
  await client.close();
  return ok;
};

/** The official client as a tool of the Vercel AI SDK, made resilient. */
const asAiTool: Caller = async (target, name, args) => {
  const client = await connected(target);
  const { tools } = await client.listTools();
  const annotations = tools.find((tool) => tool.name === name)?.annotations;
  const execute = (input: { [name: string]: unknown }, { abortSignal }: { abortSignal?: AbortSignal }) =>
    client.callTool({ name, arguments: input }, abortSignal === undefined ? {} : { signal: abortSignal });
  const wrapped = resilientTools({ [name]: { metadata: { annotations }, execute } } as never) as {
    [name: string]: { execute(input: object, options: object): Promise<unknown> };
  };
  const ok = await wrapped[name]!.execute(args, { toolCallId: '1', messages: [] }).then(
    () => true,
    () => false,
  );
  await client.close();
  return ok;
};

/** The official client with three attempts at everything: what the bench must be able to see. */
const careless: Caller = async (target, name, args) => {
  for (let attempt = 1; attempt <= 3; attempt += 1) if (await alone(target, name, args)) return true;
  return false;
};

/** Who is measured to see that the bench sees something. */
export const CONTROL = 'control';

/** By name. */
export const CALLERS: {
  readonly [name: string]: { readonly direct: Caller; readonly gateway: Caller };
} = {
  'SDK v1': { direct: overV1, gateway: overV1 },
  'SDK v2': { direct: overV2, gateway: overV2 },
  'official, AI SDK': { direct: asAiTool, gateway: alone },
  [CONTROL]: { direct: careless, gateway: careless },
};
