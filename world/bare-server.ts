/**
 * A server of nothing but our policies: what the guard is built of, without the guard and without an SDK. A hundred
 * times as many stories fit into the same time.
 */
import { type Fault, FaultError, makeFault, read, write } from '@mayday/core';
import { readCallMeta } from '@mayday/core/plan';
import { type Call, compose, deadline, type Handler, idempotency, sender, startCall } from '@mayday/policy';
import { type Message, orderIn } from './message.ts';
import { type Setting, TOOLS } from './story.ts';
import { runTool, type Surroundings } from './tool.ts';

const KEY = 'dev.mayday/idempotency-key';

interface PipeEnd {
  onmessage?: ((message: Message) => void) | undefined;
  send(message: Message): Promise<void>;
}

/** Makes a server without an SDK. */
export function createBareServer(
  { guarded }: Setting,
  around: Surroundings,
): { connect(transport: PipeEnd): Promise<void> } {
  const work = sender<object, Call>(({ call }) => runTool(String(call.arguments), around), {
    faultInThrown: (thrown) => FaultError.from(thrown, { began: true }).fault,
    faultIn: (result) => (guarded ? faultIn(result) : undefined),
  });
  const handle: Handler<object> = compose(guarded ? [deadline({ ms: 300_000 }), idempotency()] : [], work);
  return {
    async connect(transport) {
      transport.onmessage = (message) => {
        const { id } = message;
        if (id === undefined) return;
        const answer = (result: object): void => void transport.send({ jsonrpc: '2.0', id, result });
        if (message.method === 'initialize') answer(OPENED);
        else if (message.method === 'tools/list') answer({ tools: LISTED });
        else void callTool(message, guarded, handle).then((result) => transport.send(result));
      };
    },
  };
}

function faultIn(result: object): Fault | undefined {
  const reading = read({ result });
  return reading.failure ? reading.fault : undefined;
}

const OPENED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'shop', version: '1.0.0' },
};

const LISTED = Object.entries(TOOLS).map(([name, annotations]) => ({
  name,
  annotations,
  inputSchema: { type: 'object' },
}));

async function callTool(message: Message, guarded: boolean, handle: Handler<object>): Promise<Message> {
  const { id, params } = message as { id: number; params: { readonly [key: string]: unknown } };
  const meta = params['_meta'] as { readonly [key: string]: unknown } | undefined;
  const key = meta?.[KEY];
  const call = startCall<Call>({
    upstream: 'this process',
    method: 'tools/call',
    target: String(params['name']),
    arguments: orderIn(message),
    idempotencyKey: typeof key === 'string' ? key : undefined,
    above: readCallMeta(meta),
  });
  const outcome = await handle(call);
  if (outcome.ok) return { jsonrpc: '2.0', id, result: outcome.value };
  if (guarded) return write(outcome.fault, 'mayday', { id, method: 'tools/call' }).wire as Message;
  return { jsonrpc: '2.0', id, result: asSdkWould(outcome.fault) };
}

/** An unguarded server says what was thrown, in its own words. */
function asSdkWould(fault: Fault): object {
  const { message } = fault.message === '' ? makeFault({ kind: 'internal' }) : fault;
  return { isError: true, content: [{ type: 'text', text: message }] };
}
