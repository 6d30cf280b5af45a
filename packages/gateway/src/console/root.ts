/** Where the console is. */

/** Below the address of the admin API, beside it. */
export const CONSOLE = '/-/console';
