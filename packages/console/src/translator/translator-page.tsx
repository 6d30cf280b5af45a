/** Paste any failure: what it is, and how each dialect says it. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { Block, Empty, executedWords, Facts, Foreign, KindLink, Notice } from '../parts/parts.tsx';
import { DIALECT_NAMES, type Said, type Translated, translate } from './language.ts';

const EXAMPLE = '{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"Request timed out"}}';

/** More would hold the page up while it is read. */
const LONGEST = 256 * 1024;
const TOO_LONG = {
  status: 0,
  what: 'This is longer than 256 KiB.',
  advice: 'Paste the failure alone, or give the file to `mayday read`.',
};

/** The page. Nothing that is typed here leaves it. */
export function TranslatorPage(): VNode {
  const text = useSignal('');
  const from = useSignal('');
  return (
    <>
      <h1>Translator</h1>
      <p>
        Paste a failure as you met it: a JSON-RPC error, a tool result, <code>{'{"http": {…}}'}</code>, a
        problem document, or plain words. It is read here, in your browser, and sent nowhere.
      </p>
      <div class="filter">
        <label>
          Said in
          <select
            value={from.value}
            onChange={(event) => {
              from.value = event.currentTarget.value;
            }}
          >
            <option value="">whatever fits</option>
            {DIALECT_NAMES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <button
          type="button"
          onClick={() => {
            text.value = EXAMPLE;
          }}
        >
          An example
        </button>
      </div>
      <label class="block">
        The failure
        <textarea
          rows={7}
          spellcheck={false}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </label>
      <Result text={text.value} from={from.value} />
    </>
  );
}

function Result({ text, from }: { readonly text: string; readonly from: string }): VNode | null {
  if (text.trim() === '') return null;
  if (text.length > LONGEST) return <Notice trouble={TOO_LONG} />;
  const translated = attempt(text, from === '' ? undefined : from);
  if (translated === undefined)
    return <Empty>This reads as a success: nothing in it says that something failed.</Empty>;
  if ('what' in translated) return <Notice trouble={translated} />;
  return <Read translated={translated} />;
}

/** Reading is total; should it fail all the same, the page stays. */
function attempt(
  text: string,
  from: string | undefined,
): Translated | undefined | { readonly status: number; readonly what: string; readonly advice: string } {
  try {
    return translate(text, from);
  } catch (error) {
    const advice = 'This is a mistake of ours; please report it with what you have pasted.';
    return { status: 0, what: `It cannot be read: ${(error as Error).message}.`, advice };
  }
}

function Read({ translated }: { readonly translated: Translated }): VNode {
  const { reading, advice, said } = translated;
  const { fault } = reading;
  const { subject } = fault;
  return (
    <>
      <h2>What it says</h2>
      <Facts
        of={[
          ['Kind', <KindLink key="kind" kind={fault.kind} />],
          ['Message', <Foreign key="message" text={fault.message} />],
          ['What to do', <Foreign key="advice" text={advice} />],
          ['Subject', subject && <Foreign text={[subject.type, subject.id].filter(Boolean).join(' ')} />],
          ['Reaction', fault.reaction],
          ['Retry', fault.retry.when],
          ['Executed', executedWords(fault.executed)],
          ['Origin', fault.origin],
          ['Dialect', reading.dialect ?? 'none'],
          ['Certainty', `${Math.round(reading.certainty * 100)} %`],
        ]}
      />
      <details>
        <summary>Why it is read so</summary>
        <Block label="Evidence" value={reading.evidence} />
      </details>
      <h2>How each dialect says it</h2>
      {[...said].sort(openFirst).map((one) => (
        <SaidIn key={one.dialect} said={one} />
      ))}
    </>
  );
}

/** What is open stands before what is closed. */
function openFirst(one: Said, other: Said): number {
  return Number(other.dialect === 'mayday') - Number(one.dialect === 'mayday');
}

function SaidIn({ said: { dialect, wire, losses } }: { readonly said: Said }): VNode {
  return (
    <details open={dialect === 'mayday'}>
      <summary>
        {dialect}{' '}
        <span class="soft">{losses.length === 0 ? 'says all of it' : `cannot say ${losses.join(', ')}`}</span>
      </summary>
      <Block label={`As ${dialect} says it`} value={wire} />
    </details>
  );
}
