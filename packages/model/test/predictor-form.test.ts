import { InputError, predictorForm } from '@pelt/model';
import { describe, expect, it } from 'vitest';

describe('predictorForm', () => {
  it.each([
    ['exponential-of-sum', 'exponential-of-sum'],
    ['product-of-exponentials', 'product-of-exponentials'],
    // Written by version 0.1.
    ['improved', 'exponential-of-sum'],
    ['thesis', 'product-of-exponentials'],
  ])('reads %s', (name, form) => {
    expect(predictorForm(name)).toBe(form);
  });

  it.each(['other', '', undefined, 1, 'constructor'])('refuses %s, with the names that there are', (name) => {
    expect(() => predictorForm(name)).toThrow(InputError);
    expect(() => predictorForm(name)).toThrow(/exponential-of-sum, product-of-exponentials/);
  });
});
