/** Every kind and every code, and what to do about it. */
import {
  buildCatalogue,
  type Catalogue,
  type CatalogueCode,
  type CatalogueKind,
  happenedBy,
} from '@mayday/core/catalog';
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { Block, Empty, Facts, Foreign, KindLink, Wide } from '../parts/parts.tsx';
import { linkTo } from '../place.ts';
import { counted } from '../text/times.ts';
import { codeFits } from './search.ts';

const CATALOGUE: Catalogue = buildCatalogue();
/** More than this nobody reads: another word helps. */
const MOST = 200;

/** The page: all of it, or one kind. `open` is a kind, or what is searched for. */
export function ReferencePage({ open }: { readonly open: string | undefined }): VNode {
  const kind = CATALOGUE.kinds.find((one) => one.kind === open);
  return kind === undefined ? <All key={open} first={open ?? ''} /> : <OneKind kind={kind} />;
}

function All({ first }: { readonly first: string }): VNode {
  const typed = useSignal(first);
  const codes = CATALOGUE.codes.filter((code) => codeFits(code, typed.value));
  const kinds = CATALOGUE.kinds.filter(({ kind, meaning }) =>
    `${kind}\n${meaning}`.toLowerCase().includes(typed.value.toLowerCase()),
  );
  return (
    <>
      <h1>Error reference</h1>
      <search class="filter">
        <label>
          A code, a name or words
          <input
            type="search"
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
              history.replaceState(
                null,
                '',
                linkTo('reference', typed.value === '' ? undefined : typed.value),
              );
            }}
          />
        </label>
        <output>
          {counted(kinds.length, 'kind')}, {counted(codes.length, 'code')}
        </output>
      </search>
      {kinds.length === 0 && codes.length === 0 && (
        <Empty>Nothing is known under that. Paste the whole message into the translator.</Empty>
      )}
      {kinds.length > 0 && (
        <>
          <h2>Kinds</h2>
          <ul class="plain">
            {kinds.map(({ kind, meaning }) => (
              <li key={kind}>
                <KindLink kind={kind} /> {meaning}
              </li>
            ))}
          </ul>
        </>
      )}
      {codes.length > 0 && <Codes codes={codes} />}
    </>
  );
}

function OneKind({ kind: page }: { readonly kind: CatalogueKind }): VNode {
  const { kind, meaning, author, example, reaction, when } = page;
  return (
    <>
      <p class="back">
        <a href={linkTo('reference')}>All kinds and codes</a>
      </p>
      <h1>
        <code>{kind}</code>
      </h1>
      <p>{meaning}</p>
      <Facts
        of={[
          ['Reaction', reaction],
          ['Retry', when],
          ['Executed', happenedBy(page).words],
          ['HTTP status', page.http],
        ]}
      />
      <h2>What the author of a server does</h2>
      <p>{author}</p>
      <h2>An example</h2>
      <Block label="An example" value={example} />
      <Codes codes={CATALOGUE.codes.filter((code) => code.kind === kind)} />
    </>
  );
}

function Codes({ codes }: { readonly codes: readonly CatalogueCode[] }): VNode {
  return (
    <>
      <h2>Codes</h2>
      <Wide label="Codes">
        <table>
          <thead>
            <tr>
              <th>Source</th>
              <th>Code</th>
              <th>Name</th>
              <th>Kind</th>
              <th>What to do</th>
            </tr>
          </thead>
          <tbody>
            {codes.slice(0, MOST).map(({ source, code, name, kind, advice }) => (
              <tr key={`${source} ${code} ${name}`}>
                <td>{source}</td>
                <td>
                  <code>{code}</code>
                </td>
                <td>
                  <Foreign text={name} />
                </td>
                <td>
                  <KindLink kind={kind} />
                </td>
                <td>{advice}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {codes.length > MOST && <p>{codes.length - MOST} more; another word narrows them.</p>}
    </>
  );
}
