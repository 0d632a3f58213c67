/** Memory over rounds of opening an example, fitting it and opening the next: it must not grow once it is warm. */
const [ROUNDS, WARM] = [50, 10];
/** Milliseconds between two collections, collections in a row that free nothing, and bytes that count as nothing. */
const [SETTLING, COLLECTIONS, SETTLED] = [400, 6, 1e5];

export async function memory({ browser, address, log }) {
  const context = await browser.newContext({ viewport: { width: 640, height: 480 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(address);
  await page.locator('.tag.result').waitFor();
  const tools = await context.newCDPSession(page);
  // A run is listed while the page still measures it, and buffers are given back some time after a collection: the least of
  // collections until several in a row free nothing.
  const used = async () => {
    let least = Number.POSITIVE_INFINITY;
    for (let idle = 0; idle < COLLECTIONS; ) {
      await tools.send('HeapProfiler.collectGarbage');
      const { usedSize, backingStorageSize = 0 } = await tools.send('Runtime.getHeapUsage');
      const bytes = usedSize + backingStorageSize;
      idle = bytes < least - SETTLED ? 0 : idle + 1;
      least = Math.min(least, bytes);
      await page.waitForTimeout(SETTLING);
    }
    return least / 1e6;
  };
  let warm = 0;
  for (let k = 1; k <= ROUNDS; k++) {
    if (k % 10 === 0) log(`round ${k} of ${ROUNDS}`);
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.locator('.gallery button', { hasText: k % 2 ? 'Chain' : 'Bending elbow' }).click();
    await page.waitForFunction(
      (name) => document.querySelector('.top .file')?.textContent?.includes(name),
      k % 2 ? 'Chain' : 'Bending elbow',
    );
    await page.getByRole('button', { name: 'Fit', exact: true }).first().click();
    await page.getByLabel('Bones, as a number').fill('3');
    const runs = await page.locator('section[aria-label=Runs] li').count();
    await page.locator('aside .button.primary').click();
    await page.waitForFunction(
      (count) => document.querySelectorAll('section[aria-label=Runs] li').length > count,
      runs,
    );
    if (k === WARM) warm = await used();
  }
  const last = await used();
  await context.close();
  return [
    {
      case: '50 rounds of open and fit',
      metric: 'memory',
      value: last,
      unit: 'MB',
      reference: warm,
      referenceName: 'after ten rounds',
      target: 'ratio <= 1.1',
    },
  ];
}
