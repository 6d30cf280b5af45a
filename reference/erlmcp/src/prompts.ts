/** The prompts of the server. */
import type { App } from './app.ts';
import { isText } from './content.ts';
import { Reason } from './refusal.ts';

/** An argument of a prompt. */
interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Values that it may have. */
  complete?(app: App): readonly string[];
}

/** A prompt. */
export interface Prompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The text, from arguments that are all there. Throws when it cannot be made. */
  render(args: { readonly [name: string]: string }, app: App): string;
}

/** All prompts. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'write_essay',
    description: 'Writes an essay about a topic.',
    arguments: [
      { name: 'topic', description: 'What it is about.', required: true },
      {
        name: 'tone',
        description: 'How it sounds.',
        required: false,
        complete: () => ['formal', 'friendly', 'funny'],
      },
    ],
    render: ({ topic, tone = 'formal' }) => `Write an essay about ${topic} in a ${tone} tone.`,
  },
  {
    name: 'review_note',
    description: 'Reviews a note.',
    arguments: [
      {
        name: 'note',
        description: 'The name of the note.',
        required: true,
        complete: (app) => app.store.notes.names(),
      },
    ],
    render({ note: name = '' }, app) {
      const note = app.store.notes.get(name);
      if (note === undefined) throw new Reason('note_not_found');
      if (!isText(note.mimeType)) throw new Reason('note_is_not_text');
      return `Review this note:\n\n${note.bytes.toString('utf8')}`;
    },
  },
];
