/** A question before something is done. */
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** What is asked. */
interface AskedProps {
  readonly title: string;
  readonly action: string;
  /** Something is done that cannot be taken back. */
  readonly isDanger?: boolean;
  readonly isBusy: boolean;
  readonly children: ComponentChildren;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Asks. Escape is a no, and so is what is focused first: whoever presses Enter twice has done nothing. */
export function Asked({ title, action, isDanger, isBusy, children, onYes, onNo }: AskedProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const no = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    no.current?.focus();
    // Closed, and not only taken away: then the focus goes back to where it was.
    return () => current?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="asked" onClose={onNo}>
      <h2 id="asked">{title}</h2>
      {children}
      <div class="buttons">
        <button ref={no} type="button" onClick={onNo}>
          Go back
        </button>
        <button
          type="button"
          class={isDanger === true ? 'danger' : 'primary'}
          disabled={isBusy}
          onClick={onYes}
        >
          {action}
        </button>
      </div>
    </dialog>
  );
}
