/**
 * Serves JSON-RPC where no SDK stands behind: a conversation, on lines or over streamable HTTP, that answers everything
 * that comes in, in the words of whoever serves.
 */
export { badLineAnswer } from './boundary/unasked.ts';
export type { BadLine } from './messages.ts';
export {
  Cancelled,
  ClientError,
  ClientTimeout,
  type Conversation,
  type ConversationOptions,
  createConversation,
  type Members,
  type Refused,
  type Request,
  type Send,
} from './rpc/conversation.ts';
export { type Lines, type LinesOptions, serveLines } from './rpc/lines.ts';
export {
  createSessions,
  type KeptSessions,
  type OtherProcesses,
  type SessionConversation,
  type Sessions,
  type SessionsOptions,
} from './rpc/sessions.ts';
export type { RequestId } from './shapes.ts';
export { invalidUtf8At } from './utf8.ts';
