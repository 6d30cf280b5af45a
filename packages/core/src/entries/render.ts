/** Rendering: one fault, three readers. */
export { CAUTION, cautioned } from '../render/caution.ts';
export { forDeveloper } from '../render/for-developer.ts';
export { adviceFor, forModel } from '../render/for-model.ts';
export { forOperator } from '../render/for-operator.ts';
