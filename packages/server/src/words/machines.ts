/**
 * Words for the inside of programs: threads, locks, memory, logs that are replicated, messages on their way. Nobody calls a
 * tool about one of them, unless the tool itself says that it deals in them.
 */

const PARTS: readonly RegExp[] = [
  // Memory, programs, and what runs them.
  /\b(?:abi|allocat\w+|bytecode|cpu|daemons?|descriptors?|file handles?|free ?lists?|frozen objects?|garbage collect\w+|heap|hypervisors?|inodes?|kernels?|linkers?|opcodes?|page cache|pointers?|protocol buffers|runtimes?|stack (?:depth|frames?)|sy?scalls?|typedefs?|illegal instruction|instruction set)\b/i,
  // What happens at the same time.
  /\b(?:ack|acks|acknowledg\w+|backoff|back-?pressure|barriers?|coroutines?|deadlocks?|event loops?|fibers?|goroutines?|latch(?:es)?|lock ?files?|mutex(?:es)?|(?:main|own|worker|this) threads?|thread pools?|preempt\w*|promises?|re-?entranc\w+|schedulers?|semaphores?|timers?|ticks?|wait queues?|watchdogs?|watchers?)\b/i,
  /\b(?:callbacks?|dispatchers?|emitters?|handlers?|iterators?|listeners?|middlewares?|mountpoints?|mount (?:an?|the|two) volumes?|spans?|trampolines?|(?:root|tree|leaf|syntax) nodes?|(?:bean|object|class) factor(?:y|ies)|peer dependenc\w+)\b/i,
  // What is kept in several places.
  /\b(?:brokers?|checkpoints?|compaction|consumer groups?|epochs?|evict\w*|failover|followers? (?:node|replica)|(?:low|high) watermarks?|load factor|log (?:end|index|segment)s?|partitions?|quorums?|re-?balanc\w+|replica\w*|shards?|tombstones?|vector clocks?|vnodes?|write-ahead|sealing|(?:to|must) (?:be )?flush(?:ed)?)\b/i,
  // Messages on their way.
  /\b(?:charsets?|checksums?|codecs?|digests?|encoders?|(?:en|trans)cod(?:e|ings?|er) |handshakes?|heartbeats?|(?:link|data|packet) frames?|nonces?|packets?|ring buffers?|routing tables?|sequence numbers?|serializ\w+|deserializ\w+|sinks?|sockets?|tcp|udp|(?:task|job|work|message|event) queues?|(?:response|headers?|reply) (?:was |were |has been |have been )?already sent|closed channel)\b/i,
  /\b(?:dispatch lists?|(?:job|service|schema|plugin|handler|model) registr(?:y|ies)|session (?:bus|stores?)|pool sizes?|(?:connection|thread|worker|client|object) pools?|(?:the same|own) (?:pool|topic|process)|ports? (?:is |are )?(?:already )?(?:taken|used|in use)|writers? per|write cursors?|push and pop|producers? and consumers?|clusters?|migrations?|file descriptors?|on remote side)\b/i,
];

/** The part of a program that a sentence names; `undefined` when it names none. */
export function machineIn(words: string): string | undefined {
  for (const part of PARTS) {
    const found = part.exec(words)?.[0];
    if (found !== undefined) return found.toLowerCase();
  }
  return undefined;
}
