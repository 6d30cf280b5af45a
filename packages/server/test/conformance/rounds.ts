/** What the conformance suite's scenarios call by name, part two: tools that ask the client for something. */
import { randomUUID } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

const none = z.object({});
const said = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });

/** Seals what a client carries from one round to the next. */
export const states: RequestStateCodec<Record<string, unknown>> = createRequestStateCodec({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

const form = (message: string, field: string, type: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] } as never,
  });
const complete = (prompt: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 50,
  });

/** Tools that ask in the middle of a call, as servers of the 2025 era do. */
export function registerAsking(server: McpServer): void {
  const ask = (name: string, inputSchema: typeof none, request: (args: never) => object): void => {
    server.registerTool(name, { description: name, inputSchema }, async (args, ctx) => {
      const result = await ctx.mcpReq.send(request(args as never) as never);
      return said(JSON.stringify(result));
    });
  };
  ask('test_sampling', z.object({ prompt: z.string() }) as never, ({ prompt }: { prompt: string }) => ({
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens: 100 },
  }));
  const elicit = (message: string, properties: object) => ({
    method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties, required: [] } },
  });
  ask('test_elicitation', z.object({ message: z.string() }) as never, ({ message }: { message: string }) =>
    elicit(message, { response: { type: 'string', description: 'The response' } }),
  );
  ask('test_elicitation_sep1034_defaults', none, () => elicit('Defaults', DEFAULTS));
  ask('test_elicitation_sep1330_enums', none, () => elicit('Enums', ENUMS));
}

const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const titled = (names: readonly string[]) =>
  names.map((name) => ({ const: name, title: name.toUpperCase() }));
const OPTIONS = ['option1', 'option2', 'option3'];
const ENUMS = {
  untitledSingle: { type: 'string', enum: OPTIONS },
  titledSingle: { type: 'string', oneOf: titled(['value1', 'value2', 'value3']) },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: OPTIONS } },
  titledMulti: {
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: { anyOf: titled(['value1', 'value2', 'value3']) },
  },
};

type Responses = Record<string, never> | undefined;
const response = <T>(ctx: ServerContext, key: string): T | undefined =>
  (ctx.mcpReq.inputResponses as Responses)?.[key] as T | undefined;

/** Tools that answer with a request for input, as servers of the 2026 era do: one round. */
export function registerOneRound(server: McpServer): void {
  server.registerTool(
    'test_missing_capability',
    { description: 'test_missing_capability', inputSchema: none },
    async (_args, ctx) =>
      response(ctx, 'llm_answer') === undefined
        ? inputRequired({ inputRequests: { llm_answer: complete('Say pong') } })
        : said('done'),
  );
  server.registerTool(
    'test_input_required_result_elicitation',
    { description: 'test_input_required_result_elicitation', inputSchema: none },
    async (_args, ctx) => {
      const name = acceptedContent<{ name: string }>(ctx.mcpReq.inputResponses, 'user_name')?.name;
      if (typeof name === 'string') return said(`Hello, ${name}!`);
      return inputRequired({ inputRequests: { user_name: form('What is your name?', 'name', 'string') } });
    },
  );
  server.registerTool(
    'test_input_required_result_sampling',
    { description: 'test_input_required_result_sampling', inputSchema: none },
    async (_args, ctx) => {
      const answer = response<object>(ctx, 'capital_question');
      if (answer !== undefined) return said(JSON.stringify(answer));
      return inputRequired({
        inputRequests: { capital_question: complete('What is the capital of France?') },
      });
    },
  );
  server.registerTool(
    'test_input_required_result_list_roots',
    { description: 'test_input_required_result_list_roots', inputSchema: none },
    async (_args, ctx) => {
      const roots = response<{ roots?: unknown[] }>(ctx, 'client_roots')?.roots;
      if (Array.isArray(roots)) return said(JSON.stringify(roots));
      return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    },
  );
  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'test_input_required_result_capabilities', inputSchema: none },
    async (_args, ctx) => {
      if (ctx.mcpReq.inputResponses !== undefined) return said('fulfilled');
      const envelope = ctx.mcpReq.envelope as { [key: string]: { [name: string]: unknown } } | undefined;
      const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY];
      const inputRequests = {
        ...(declared?.['elicitation'] === undefined ? {} : { user_name: form('Name?', 'name', 'string') }),
        ...(declared?.['sampling'] === undefined ? {} : { greeting: complete('Greet') }),
        ...(declared?.['roots'] === undefined ? {} : { client_roots: inputRequired.listRoots() }),
      };
      return Object.keys(inputRequests).length === 0
        ? said('nothing to ask')
        : inputRequired({ inputRequests });
    },
  );
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, (async (
    ctx: ServerContext,
  ) => {
    const context = acceptedContent<{ context: string }>(ctx.mcpReq.inputResponses, 'user_context')?.context;
    if (typeof context === 'string')
      return { messages: [{ role: 'user', content: { type: 'text', text: context } }] };
    return inputRequired({ inputRequests: { user_context: form('Which context?', 'context', 'string') } });
  }) as never);
}

/** The same with state, and over several rounds. */
export function registerRounds(server: McpServer): void {
  const mint = (value: object): Promise<string> => states.mint({ ...value, nonce: randomUUID() });
  const confirming = (tool: string, done: string): void => {
    server.registerTool(
      `test_input_required_result_${tool}`,
      { description: tool, inputSchema: none },
      async (_args, ctx) => {
        const confirmed = acceptedContent(ctx.mcpReq.inputResponses, 'confirm') !== undefined;
        if (confirmed && ctx.mcpReq.requestState() !== undefined) return said(done);
        return inputRequired({
          inputRequests: { confirm: form('Confirm', 'ok', 'boolean') },
          requestState: await mint({ tool }),
        });
      },
    );
  };
  confirming('request_state', 'state-ok: verified');
  confirming('tampered_state', 'integrity-ok: verified');
  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'test_input_required_result_multiple_inputs', inputSchema: none },
    async (_args, ctx) => {
      const name = acceptedContent<{ name: string }>(ctx.mcpReq.inputResponses, 'user_name')?.name;
      const greeting = response<{ content?: { text?: string } }>(ctx, 'greeting')?.content?.text;
      const roots = response<{ roots?: unknown[] }>(ctx, 'client_roots')?.roots;
      if (name !== undefined && greeting !== undefined && roots !== undefined)
        return said(`${greeting} ${name} ${roots.length}`);
      return inputRequired({
        inputRequests: {
          user_name: form('What is your name?', 'name', 'string'),
          greeting: complete('Generate a greeting'),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await mint({ tool: 'multiple_inputs' }),
      });
    },
  );
  server.registerTool(
    'test_input_required_result_multi_round',
    { description: 'test_input_required_result_multi_round', inputSchema: none },
    async (_args, ctx) => {
      const state = ctx.mcpReq.requestState<Record<string, unknown>>();
      const round = typeof state?.['round'] === 'number' ? state['round'] : 0;
      if (round >= 2) return said('Multi-round complete');
      const [step, field] = round === 0 ? ['step1', 'name'] : ['step2', 'color'];
      return inputRequired({
        inputRequests: { [step as string]: form(`Your ${field}?`, field as string, 'string') },
        requestState: await mint({ tool: 'multi_round', round: round + 1 }),
      });
    },
  );
}
