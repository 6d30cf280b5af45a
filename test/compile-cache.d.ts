/**
 * Compiled sources, kept between the processes that tests start: each would strip the types again otherwise. Those that
 * are started with an environment of their own are given it by name.
 */
export declare const COMPILE_CACHE: {
    readonly NODE_COMPILE_CACHE: string;
};
