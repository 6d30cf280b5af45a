/** Who are you? */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Trouble } from './api/ask.ts';
import { signIn } from './api/session.ts';
import { Notice } from './parts/parts.tsx';

interface SignInProps {
  /** What is wrong with the last key; absent where there was none. */
  readonly why: Trouble | undefined;
  readonly onTry: () => void;
}

/** Asks for the key of an operator. */
export function SignIn({ why, onTry }: SignInProps): VNode {
  return (
    <main class="sign-in" id="main">
      <h1>Mayday console</h1>
      <Notice trouble={why} />
      {why?.status !== 0 && <KeyForm onTry={onTry} />}
      <p class="soft">
        Without a key: the <a href="#/translator">translator</a> and the{' '}
        <a href="#/reference">error reference</a>.
      </p>
    </main>
  );
}

/** Nobody is asked for a key while there is nobody to give it to. */
function KeyForm({ onTry }: Pick<SignInProps, 'onTry'>): VNode {
  const secret = useSignal('');
  const isKept = useSignal(false);
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          signIn(secret.value.trim(), isKept.value);
          onTry();
        }}
      >
        <label class="block">
          Key of an operator
          <input
            type="password"
            autoComplete="off"
            required
            value={secret.value}
            onInput={(event) => {
              secret.value = event.currentTarget.value;
            }}
          />
        </label>
        <label>
          <input
            type="checkbox"
            checked={isKept.value}
            onChange={(event) => {
              isKept.value = event.currentTarget.checked;
            }}
          />
          Keep it until this tab is closed
        </label>
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
      <p class="soft">
        A key with <code>role: operator</code>; <code>mayday keys create NAME --role operator</code> makes
        one. It stays in this tab, and is sent to this gateway alone.
      </p>
    </>
  );
}
