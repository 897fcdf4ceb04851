// Written from the server's types by its tests.

export type PrintOptionsProps = { cartID: string, };

export type CartInfo = { goods: CartInfoGoods, 
/**
 * Pages (sides) of the work: the count that every rule uses.
 */
pageNum: number, count: number, 
/**
 * The address of the cover's picture.
 */
photoPath: string, clientDesignName: string, goodsName: string, 
/**
 * The page count as members read it.
 */
showPageNum: string, remarkinfo: string, 
/**
 * The volume discounts as text.
 */
yhstr: string, totalPrice: string, 
/**
 * Total ÷ quantity, rounded down.
 */
unitPrice: string, 
/**
 * The page range of each offered binding, by its name.
 */
zhuangDingPageCfg: { [key in string]: [number, number] }, buzhou: Array<Step>, 
/**
 * Choices that go well together.
 */
bundles: Array<CartInfoBundle>, 
/**
 * The working days in which it is made, such as `5–7`.
 */
makingDays: string, 
/**
 * Choosing the first disables the second.
 */
exclusions: Array<[string, string]>, 
/**
 * Why, one for each of the exclusions.
 */
exclusionReasons: Array<string>, 
/**
 * What a craft is drawn from; null where no craft asks for a plate.
 */
artwork: CartInfoArtwork | null, 
/**
 * The address of the front's picture as a choice makes it, without that choice.
 */
frontPath: string, 
/**
 * The codes that make the front look otherwise than it is printed.
 */
frontCnums: Array<string>, };

export type CartInfoArtwork = { step: Step, 
/**
 * Choosing the first disables the second, which is of this step.
 */
exclusions: Array<[string, string]>, exclusionReasons: Array<string>, 
/**
 * What is said while no chosen craft asks.
 */
hint: string, };

export type CartInfoBundle = { name: string, about: string, 
/**
 * The names of what it is made of.
 */
items: Array<string>, 
/**
 * One code for each shown step that has items.
 */
cnums: Array<string>, 
/**
 * What a copy costs with it, for the saved number of copies.
 */
each: string, 
/**
 * The address of the work's picture as a book made so.
 */
cover: string, };

export type CartInfoGoods = { ID: string, EditorType: number, 
/**
 * `y` or `n`.
 */
isHasPastedown: "y" | "n", };

export type Step = { ID: string, Name: string, 
/**
 * `Y` or `N`; a hidden step takes part in no rule.
 */
IsShow: "Y" | "N", items: Array<Item>, 
/**
 * Empty where nothing is chosen.
 */
selCnum: string, 
/**
 * The address of the chosen item's picture, or empty.
 */
cover: string, 
/**
 * The chosen item's description, or empty.
 */
desc: string, 
/**
 * The chosen item's tip, or the step's own.
 */
tips: string, 
/**
 * The tip where the chosen item has none.
 */
ownTips: string, };

export type Item = { Cnum: string, Name: string, 
/**
 * Its flag for the saved choice, all rules applied.
 */
enable: boolean, 
/**
 * Whether the page count alone allows it.
 */
fits: boolean, 
/**
 * Why it does not fit; empty when it does.
 */
reason: string, cover: string, desc: string, tips: string, 
/**
 * What it adds to the price, such as `+¥22.00`; empty where it costs nothing.
 */
surcharge: string, };

export type PriceLine = { label: string, detail: string, amount: string, };
