/** What the conformance suite's scenarios call by name, part one: plain tools, resources and prompts. */
import { fromJsonSchema, type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import * as z from 'zod';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const none = z.object({});

const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
const said = (...content: unknown[]) => ({ content }) as never;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Tools that answer with one kind of content each. */
export function registerContent(server: McpServer): void {
  const embedded = (uri: string, mimeType: string, value: string) => ({
    type: 'resource',
    resource: { uri, mimeType, text: value },
  });
  server.registerTool('test_simple_text', { description: 'Text' }, async () => said(text('A simple text.')));
  server.registerTool('test_image_content', { description: 'An image' }, async () => said(image));
  server.registerTool('test_audio_content', { description: 'A sound' }, async () =>
    said({ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }),
  );
  server.registerTool('test_embedded_resource', { description: 'A resource' }, async () =>
    said(embedded('test://embedded-resource', 'text/plain', 'Embedded.')),
  );
  server.registerTool('test_multiple_content_types', { description: 'All of them' }, async () =>
    said(text('Several:'), image, embedded('test://mixed', 'application/json', '{"test":"data"}')),
  );
  server.registerTool('test_error_handling', { description: 'Fails' }, async () => {
    throw new Error('This tool fails on purpose');
  });
  server.registerTool(
    'test_x_mcp_header',
    {
      description: 'Mirrors an argument into a header',
      inputSchema: fromJsonSchema<{ region?: string }>({
        type: 'object',
        properties: {
          region: { type: 'string', 'x-mcp-header': 'Region' } as never,
          level: { type: 'integer' },
        },
      }),
    },
    async ({ region }) => said(text(`region ${region ?? 'none'}`)),
  );
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'A schema of 2020-12', inputSchema: fromJsonSchema(SCHEMA_2020_12) },
    async () => said(text('called')),
  );
}

const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

/** Tools that say something before they answer. */
export function registerNotifying(server: McpServer): void {
  server.registerTool(
    'test_tool_with_logging',
    { description: 'test_tool_with_logging', inputSchema: none },
    async (_args, ctx) => {
      for (const data of ['started', 'working', 'done']) {
        await ctx.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
        await pause(20);
      }
      return said(text('logged'));
    },
  );
  server.registerTool(
    'test_tool_with_progress',
    { description: 'test_tool_with_progress', inputSchema: none },
    async (_args, ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken: progressToken as string, progress, total: 100 },
        });
        await pause(20);
      }
      return said(text(String(progressToken ?? 'none')));
    },
  );
  server.registerTool(
    'test_logging_tool',
    { description: 'test_logging_tool', inputSchema: none },
    async (_args, ctx) => {
      await ctx.mcpReq.log('info', 'only with a log level');
      return said(text('logged'));
    },
  );
  server.registerTool(
    'test_streaming_elicitation',
    { description: 'test_streaming_elicitation', inputSchema: none },
    async () => said(text('no requests')),
  );
}

/** Resources and prompts. */
export function registerReadable(server: McpServer): void {
  const fixed = (name: string, uri: string, mimeType: string, content: object): void => {
    server.registerResource(name, uri, { title: name, description: name, mimeType }, async () => ({
      contents: [{ uri, mimeType, ...content } as never],
    }));
  };
  fixed('static-text', 'test://static-text', 'text/plain', { text: 'Static text.' });
  fixed('static-binary', 'test://static-binary', 'image/png', { blob: PIXEL });
  fixed('watched-resource', 'test://watched-resource', 'text/plain', { text: 'Watched.' });
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { title: 'template', description: 'A template', mimeType: 'application/json' },
    async (uri, { id }) => ({
      contents: [
        {
          uri: uri.toString(),
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
  const user = (...content: object[]) =>
    ({ messages: content.map((item) => ({ role: 'user', content: item })) }) as never;
  server.registerPrompt('test_simple_prompt', { description: 'Plain' }, async () =>
    user(text('A simple prompt.')),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Image' }, async () =>
    user(image, text('Look.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    async ({ arg1, arg2 }) => user(text(`arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Resource', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri }) =>
      user(
        { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded.' } },
        text('Read it.'),
      ),
  );
}
