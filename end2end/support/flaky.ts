// The last lines of a run: which journeys needed their second try.
import type { FullConfig, Reporter, Suite } from "@playwright/test/reporter";

export default class Flaky implements Reporter {
  #all: Suite | undefined;

  onBegin(_config: FullConfig, all: Suite): void {
    this.#all = all;
  }

  printsToStdio(): boolean {
    return false;
  }

  async onExit(): Promise<void> {
    const flaky = this.#all?.allTests().filter((test) => test.outcome() === "flaky") ?? [];
    const names = flaky.map((test) => `  ${test.titlePath().filter(Boolean).join(" › ")}`);
    console.log(["", names.length === 0 ? "Journeys that needed a second try: none was flaky." : "Journeys that needed a second try:", ...names].join("\n"));
  }
}
