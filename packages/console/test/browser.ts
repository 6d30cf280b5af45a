/** A browser of the system, where there is one. Nothing is downloaded. */
import { existsSync } from 'node:fs';
import process from 'node:process';
import { type Browser, chromium } from 'playwright-core';

/** Where Debian and others have it. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Its path; absent where it is not installed. */
export function browserPath(): string | undefined {
  return PLACES.find((path) => existsSync(path));
}

/** Starts it. Root has no sandbox. */
export function openBrowser(executablePath: string): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}
