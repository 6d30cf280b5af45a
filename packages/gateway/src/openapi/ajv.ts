/** What checks arguments against schemas, as one module: `npm run build` makes one file of its ninety, `#ajv`. */
import formats from 'ajv-formats';

export { Ajv2020 } from 'ajv/dist/2020.js';
export const addFormats: typeof formats.default = formats.default;
