/** What a model reads of a fault. The words are the language's own, which is loaded only where somebody looks. */
import { fromDocument } from '@mayday/core';
import { forModel } from '@mayday/core/render';

/** The words for a fault document. */
export function toldOf(document: unknown): string {
  const fault = fromDocument(document);
  return fault === undefined ? '' : forModel(fault);
}
