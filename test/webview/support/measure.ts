import type { Page } from 'playwright-core';

/** Text whose contrast is below 4.5:1 and icons below 2.9:1 (VS Code's own yellow has 2.93), as `ratio text`; disabled controls are exempt (WCAG 1.4.3, 1.4.11). */
export function lowContrast(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    type Colour = readonly [red: number, green: number, blue: number, alpha: number];
    const parse = (text: string): Colour => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = [...text.matchAll(/[\d.]+/g)].map((match) => Number(match[0]));
      return [red, green, blue, alpha];
    };
    const over = (top: Colour, bottom: Colour): Colour => {
      const mix = (upper: number, lower: number): number => upper * top[3] + lower * (1 - top[3]);
      return [mix(top[0], bottom[0]), mix(top[1], bottom[1]), mix(top[2], bottom[2]), 1];
    };
    const luminance = ([red, green, blue]: Colour): number => {
      const linear = (value: number): number => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    };
    const contrast = (first: Colour, second: Colour): number => {
      const [low = 0, high = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    const background = (element: Element | null): Colour => {
      if (element === null) return [255, 255, 255, 1];
      const own = parse(getComputedStyle(element).backgroundColor);
      return own[3] === 1 ? own : over(own, background(element.parentElement));
    };
    const opacity = (element: Element | null): number =>
      element === null ? 1 : Number(getComputedStyle(element).opacity) * opacity(element.parentElement);
    const ratio = (element: Element, colourText: string): number => {
      const behind = background(element);
      const [red, green, blue, alpha] = parse(colourText);
      return contrast(over([red, green, blue, alpha * opacity(element)], behind), behind);
    };

    const low: string[] = [];
    const check = (element: Element, colourText: string, text: string, least = 4.5): void => {
      const found = ratio(element, colourText);
      if (found < least) low.push(`${found.toFixed(2)} ${text.trim().slice(0, 40)}`);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.nodeValue ?? '';
      if (element === null || text.trim() === '' || element.closest(':disabled, .visually-hidden, script') !== null)
        continue;
      if (element.checkVisibility()) check(element, getComputedStyle(element).color, text);
    }
    for (const field of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input:not([type=checkbox]), textarea',
    )) {
      check(field, getComputedStyle(field).color, field.value);
      check(field, getComputedStyle(field, '::placeholder').color, field.placeholder);
    }
    for (const icon of document.querySelectorAll('.codicon')) {
      if (icon.closest(':disabled, .visually-hidden') !== null || !icon.checkVisibility({ checkOpacity: true }))
        continue;
      check(icon, getComputedStyle(icon).color, `icon ${icon.className}`, 2.9);
    }
    return low;
  });
}

/**
 * What reaches out of the panel or is cut off inside it. A text that ends in an ellipsis has its whole self as a
 * tooltip.
 */
export function overflowing(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const name = (element: Element): string =>
      `${element.localName}.${element.className} "${element.textContent.trim().slice(0, 30)}"`;
    const isScrolledSideways = (element: Element): boolean => {
      const box = element.closest('.table-scroll');
      return box !== null && box !== element;
    };
    const isBehindEllipsis = (element: Element | null): boolean =>
      element !== null &&
      ((getComputedStyle(element).textOverflow === 'ellipsis' && element.hasAttribute('title')) ||
        isBehindEllipsis(element.parentElement));
    for (const element of document.querySelectorAll('body, body *')) {
      if (!element.checkVisibility() || element.closest('.visually-hidden') !== null) continue;
      const { left, right, width } = element.getBoundingClientRect();
      if (
        width > 0 &&
        !isScrolledSideways(element) &&
        !isBehindEllipsis(element.parentElement) &&
        (left < -0.5 || right > window.innerWidth + 0.5)
      ) {
        found.push(`outside: ${name(element)}`);
      }
      const style = getComputedStyle(element);
      const hasEllipsis = style.textOverflow === 'ellipsis' && element.closest('[title]') !== null;
      if (element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1 && !hasEllipsis) {
        if (style.overflowX !== 'visible') found.push(`cut: ${name(element)}`);
      }
    }
    return found;
  });
}
