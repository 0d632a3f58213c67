/** How often one address may ask: a bucket of requests that fills up again steadily. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** @param now  in milliseconds */
  allows(address: string, now: number): boolean {
    const bucket = this.#buckets.get(address) ?? { left: this.#perMinute, at: now };
    bucket.left = Math.min(this.#perMinute, bucket.left + ((now - bucket.at) / 60_000) * this.#perMinute);
    bucket.at = now;
    const allowed = bucket.left >= 1;
    if (allowed) bucket.left--;
    this.#buckets.set(address, bucket);
    this.#forget(now);
    return allowed;
  }

  /** Full buckets need not be remembered. */
  #forget(now: number): void {
    if (this.#buckets.size < 1000) return;
    for (const [address, { at }] of this.#buckets) if (now - at > 60_000) this.#buckets.delete(address);
  }
}
