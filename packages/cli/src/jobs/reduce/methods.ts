import { WEIGHT_METHODS, type WeightMethod } from '@pelt/skin';

export type ReduceMethod = WeightMethod | 'two-layer';

export const REDUCE_METHODS: readonly ReduceMethod[] = [...WEIGHT_METHODS, 'two-layer'];
