import { describe, expect, it } from 'vitest';
import { ProgressLine } from '../../src/terminal/progress-line.ts';

function terminal(columns = 120) {
  const written: string[] = [];
  return { isTTY: true, columns, written, write: (text: string) => written.push(text) };
}

describe('ProgressLine', () => {
  it('draws nothing where there is no terminal', () => {
    const stream = { ...terminal(), isTTY: false };
    const line = new ProgressLine(stream, () => 0);
    line.show({ stage: 'fitting', fraction: 0.5 });
    line.clear();
    expect(stream.written).toEqual([]);
  });

  it('shows stage, share, time left and detail over itself', () => {
    const stream = terminal();
    let now = 0;
    const line = new ProgressLine(stream, () => now);
    line.show({ stage: 'fitting', fraction: 0 });
    expect(stream.written[0]).toContain('fitting');
    expect(stream.written[0]).toContain(' 0 %');
    expect(stream.written[0]).not.toContain('left');
    now = 10_000;
    line.show({ stage: 'fitting', fraction: 0.25, detail: 'round 3' });
    expect(stream.written[1]).toBe('\r\u001b[2Kfitting  █████░░░░░░░░░░░░░░░ 25 %  30 s left  round 3');
  });

  it('is drawn at most ten times a second', () => {
    const stream = terminal();
    let now = 0;
    const line = new ProgressLine(stream, () => now);
    for (; now < 1000; now += 10) line.show({ stage: 'x', fraction: now / 1000 });
    expect(stream.written).toHaveLength(10);
  });

  it('stays on one line of a narrow terminal, whatever the detail holds', () => {
    const stream = terminal(40);
    new ProgressLine(stream, () => 0).show({ stage: 'x', fraction: 0.5, detail: `a\u001b[2J\n${'y'.repeat(200)}` });
    const drawn = stream.written[0].slice('\r\u001b[2K'.length);
    expect(drawn).toHaveLength(39);
    expect(drawn).not.toContain('\u001b');
    expect(drawn).not.toContain('\n');
  });

  it('takes a width of 0 for unknown', () => {
    const stream = terminal(0);
    new ProgressLine(stream, () => 0).show({ stage: 'x'.repeat(100), fraction: 0.5 });
    expect(stream.written[0]).toHaveLength('\r\u001b[2K'.length + 79);
  });

  it('is cleared once, and only where it was drawn', () => {
    const stream = terminal();
    const line = new ProgressLine(stream, () => 0);
    line.clear();
    expect(stream.written).toHaveLength(0);
    line.show({ stage: 'x', fraction: 2 });
    line.clear();
    line.clear();
    expect(stream.written).toHaveLength(2);
    expect(stream.written[0]).toContain('100 %');
  });
});
