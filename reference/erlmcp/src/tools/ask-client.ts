/** Tools that need the client: its model, and the person in front of it. */
import { randomUUID } from 'node:crypto';
import { ClientError, ClientTimeout } from '@mayday/server/rpc';
import { z } from 'zod';
import { raise } from '../errors.ts';
import { isMembers } from '../params.ts';
import { defineTool, type ToolContext, text } from './tool.ts';

/** What a client answers when its user says no to sampling. */
const USER_REJECTED = -1;

/** Has the client's model sum a note up. */
export const summarizeNote = defineTool({
  name: 'summarize_note',
  description: 'Has the model of the client sum up a note.',
  inputSchema: z.strictObject({ name: z.string() }),
  async run({ name }, context) {
    const note = context.app.store.notes.get(name);
    if (note === undefined) throw raise('resource_not_found', { uri: `note://${name}` });
    const prompt = `Sum this up in one sentence:\n\n${note.bytes.toString('utf8')}`;
    const said = await sample(prompt, context);
    return text(said);
  },
});

async function sample(prompt: string, context: ToolContext): Promise<string> {
  const { app, session, requestId, meanwhile } = context;
  if (session.clientCapabilities['sampling'] === undefined)
    throw raise('sampling_failed', { reason: 'not_supported_by_client' });
  const params = {
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 200,
  };
  try {
    const { clientTimeoutMs } = app.settings;
    const answer = await meanwhile(
      session.client.ask('sampling/createMessage', params, clientTimeoutMs, requestId),
    );
    const content = isMembers(answer) ? answer['content'] : undefined;
    if (isMembers(content) && typeof content['text'] === 'string') return content['text'];
    throw raise('sampling_failed', { reason: 'no_text_in_answer' });
  } catch (cause) {
    if (cause instanceof ClientTimeout) throw raise('sampling_failed', { reason: 'timeout' }, cause);
    if (!(cause instanceof ClientError)) throw cause;
    const reason = cause.code === USER_REJECTED ? 'user_rejected' : 'model_unavailable';
    throw raise('sampling_failed', { reason }, cause);
  }
}

/** Sends the user to a page, and waits until they are done there. */
export const linkAccount = defineTool({
  name: 'link_account',
  description: 'Asks the user to open a page and link an account there.',
  inputSchema: z.strictObject({}),
  async run(_args, { app, session, requestId, meanwhile }) {
    if (session.clientCapabilities['elicitation'] === undefined)
      throw raise('elicitation_failed', { reason: 'not_supported_by_client' });
    const elicitationId = randomUUID();
    const params = {
      mode: 'url',
      message: 'Open this page to link your account.',
      url: `https://accounts.example.com/link?elicitation=${elicitationId}`,
      elicitationId,
    };
    const { clientTimeoutMs } = app.settings;
    const asked = session.client.ask('elicitation/create', params, clientTimeoutMs, requestId);
    const answer = await meanwhile(asked).catch((cause: unknown) => {
      if (cause instanceof ClientTimeout) throw raise('elicitation_timeout', { timeoutMs: clientTimeoutMs });
      throw raise('elicitation_failed', { reason: 'client_failed' }, cause);
    });
    const action = isMembers(answer) ? answer['action'] : undefined;
    if (action === 'accept') return text('Linked');
    const reason = action === 'decline' ? 'declined' : action === 'cancel' ? 'cancelled' : 'client_failed';
    throw raise('elicitation_failed', { reason });
  },
});
