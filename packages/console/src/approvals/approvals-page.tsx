/** Calls that wait for a person's consent. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ask, type Trouble } from '../api/ask.ts';
import type { ApprovalDocument } from '../api/documents.ts';
import type { Polled } from '../api/polled.ts';
import { isOfKey, key, signOut } from '../api/session.ts';
import { Asked } from '../parts/dialog.tsx';
import { Block, Empty, Facts, Foreign, Name, Notice, Time } from '../parts/parts.tsx';
import { shortName, visibleName } from '../text/visible.ts';
import { Arguments } from './arguments.tsx';

/** What can be decided. */
type Decision = 'approve' | 'reject';

/** What waits. */
export type Waiting = Polled<{ readonly approvals: readonly ApprovalDocument[] }>;

/** A decision about to be made. */
interface Chosen {
  readonly approval: ApprovalDocument;
  readonly decision: Decision;
}

/** The page. */
export function ApprovalsPage({ waiting }: { readonly waiting: Waiting }): VNode {
  const chosen = useSignal<Chosen | undefined>(undefined);
  const isBusy = useSignal(false);
  const done = useSignal<Chosen | undefined>(undefined);
  const told = useRef<HTMLParagraphElement>(null);
  const failed = useSignal<Trouble | undefined>(undefined);
  const { data, trouble, again } = waiting;

  // The card goes, and with it the button that had the focus.
  useLayoutEffect(() => {
    if (done.value !== undefined) told.current?.focus();
  }, [done.value]);

  const decide = async ({ approval, decision }: Chosen): Promise<void> => {
    isBusy.value = true;
    const path = `approvals/${encodeURIComponent(approval.id)}/${decision}`;
    const answer = await ask(path, { key: key.value, isChange: true });
    isBusy.value = false;
    chosen.value = undefined;
    failed.value = 'trouble' in answer ? undecided(answer.trouble) : undefined;
    if ('trouble' in answer && isOfKey(answer.trouble) && answer.trouble.status === 401)
      return signOut(answer.trouble);
    done.value = 'ok' in answer ? { approval, decision } : undefined;
    again();
  };

  return (
    <>
      <h1>Approvals</h1>
      <p role="status" tabIndex={-1} ref={told}>
        {done.value !== undefined && <Done chosen={done.value} />}
      </p>
      <Notice trouble={failed.value ?? trouble} />
      {data !== undefined && trouble !== undefined && (
        <p class="soft">What follows is what the gateway said last, and may be old.</p>
      )}
      {data?.approvals.length === 0 && trouble === undefined && (
        <Empty>No call waits for consent. One that needs it appears here by itself.</Empty>
      )}
      {data === undefined && trouble === undefined && <Empty>Looking…</Empty>}
      <ul class="cards">
        {data?.approvals.map((approval) => (
          <Card
            key={approval.id}
            approval={approval}
            onChoose={(decision) => {
              chosen.value = { approval, decision };
            }}
          />
        ))}
      </ul>
      {chosen.value !== undefined && (
        <Confirmation
          chosen={chosen.value}
          isBusy={isBusy.value}
          onYes={(what) => void decide(what)}
          onNo={() => {
            chosen.value = undefined;
          }}
        />
      )}
    </>
  );
}

/** A decision is made once, by a person: nobody tries it again. */
function undecided(trouble: Trouble): Trouble {
  if (trouble.status !== 0) return trouble;
  return {
    ...trouble,
    advice:
      'Whether it heard of your decision is not known. When it answers again, look whether the call still waits.',
  };
}

function Done({ chosen: { approval, decision } }: { readonly chosen: Chosen }): VNode {
  const isApproval = decision === 'approve';
  return (
    <>
      {isApproval ? 'Approved' : 'Denied'}: <Name of={approval.tool} /> of <Caller of={approval} />
      {isApproval ? ' goes through once, when it is called again.' : '. Its caller is told so.'}
    </>
  );
}

function Caller({ of: { caller } }: { readonly of: ApprovalDocument }): VNode {
  return caller === null ? <>a caller without a name</> : <Name of={caller} />;
}

/** What tells one button from those of other cards. */
function called(decision: string, { tool, caller, id }: ApprovalDocument): string {
  return `${decision} ${visibleName(tool)} of ${visibleName(caller ?? 'a caller without a name')}, ${id.slice(0, 8)}`;
}

interface CardProps {
  readonly approval: ApprovalDocument;
  readonly onChoose: (decision: Decision) => void;
}

function Card({ approval, onChoose }: CardProps): VNode {
  const { tool, asked_at, expires_at } = approval;
  return (
    <li class="card">
      <h2>
        <Name of={tool} />
      </h2>
      <Facts
        of={[
          ['Caller', <Caller key="caller" of={approval} />],
          ['Asked', <Time key="asked" at={asked_at} isExact />],
          ['Expires', <Time key="expires" at={expires_at} isExact />],
          ['Id', <Foreign key="id" text={approval.id} />],
        ]}
      />
      <WholeName of={tool} />
      <Arguments label={`Arguments of ${visibleName(tool)}`} of={approval.arguments} />
      <div class="buttons">
        <button type="button" aria-label={called('Deny', approval)} onClick={() => onChoose('reject')}>
          Deny
        </button>
        <button type="button" aria-label={called('Approve', approval)} onClick={() => onChoose('approve')}>
          Approve
        </button>
      </div>
    </li>
  );
}

/** All of a name that is too long for a heading. */
function WholeName({ of }: { readonly of: string }): VNode | null {
  return shortName(of) === of ? null : <Block label="The whole name" value={of} />;
}

interface ConfirmationProps {
  readonly chosen: Chosen;
  readonly isBusy: boolean;
  readonly onYes: (chosen: Chosen) => void;
  readonly onNo: () => void;
}

/** What was read when the button was pressed is what is decided, whatever comes in meanwhile. */
function Confirmation({ chosen, isBusy, onYes, onNo }: ConfirmationProps): VNode {
  const { approval, decision } = chosen;
  const isApproval = decision === 'approve';
  return (
    <Asked
      title={isApproval ? 'Let this call through, once?' : 'Deny this call?'}
      action={isApproval ? 'Approve the call' : 'Deny the call'}
      isDanger={isApproval}
      isBusy={isBusy}
      onYes={() => onYes(chosen)}
      onNo={onNo}
    >
      <p>
        <Name of={approval.tool} />, called by <Caller of={approval} />.
        {isApproval
          ? ' Your name goes to the audit log.'
          : ' Its caller is told. Your name goes to the audit log.'}
      </p>
      <WholeName of={approval.tool} />
      <Arguments label="Arguments" of={approval.arguments} />
    </Asked>
  );
}
