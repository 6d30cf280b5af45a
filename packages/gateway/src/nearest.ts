/** Did-you-mean, as core does it for everybody. */
export { nearest } from '@mayday/core/names';
