import type { Block } from '@pelt/math';

/** What visible weights of certain bones at certain vertices cost, beside the squared error. */
export interface SupportPrices {
  /** n × m flags: 1 where the bone has a price at the vertex */
  readonly priced: Block<Uint8Array>;
  /** Of one weight, in the unit of a vertex's squared error. */
  readonly price: number;
  /** Smaller weights are free. */
  readonly visible: number;
}

/** As arguments of the weight kernels. */
export function priceFields(prices: SupportPrices | undefined): Omit<SupportPrices, 'priced'> & Partial<SupportPrices> {
  return prices && prices.price > 0 ? prices : { price: 0, visible: 0 };
}
