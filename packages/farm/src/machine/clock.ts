/** Time as the farm sees it, so that tests can let a day pass in a moment. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Does something again and again until it is stopped; does not keep a process alive.
   *
   * @returns a function that stops it
   */
  every(milliseconds: number, action: () => void): () => void;
  sleep(milliseconds: number): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  every: (milliseconds, action) => {
    const timer = setInterval(action, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
  sleep: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
};
