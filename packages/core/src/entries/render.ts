/** Rendering: one fault, three readers. */
export { CAUTION, calmed, cautioned } from '../render/caution.ts';
export { partlyDone, tellsOfDone, warned } from '../render/done.ts';
export { forDeveloper } from '../render/for-developer.ts';
export { adviceFor, forModel, namesIt, untold } from '../render/for-model.ts';
export { fieldsIn, forOperator } from '../render/for-operator.ts';
