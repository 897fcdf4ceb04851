// Written from the server's types by its tests.

export const LIMITS = {
  "address": 200,
  "border": 20.0,
  "coarseBelowDpi": 149.0,
  "goodDpi": 250.0,
  "leastSide": 1.0,
  "onPage": 200,
  "pages": 2000,
  "radius": 200.0,
  "rotation": 360.0,
  "sizes": [
    -4,
    8
  ],
  "words": 500
} as const;

export const SAID = {
  "address": "二维码要有网址，以 http:// 或 https:// 开头，最多 200 个字节",
  "border": "边框宽度须在 0 到 20 毫米之间",
  "control": "文字里有不能印刷的控制字符",
  "crop": "裁切须在照片之内",
  "crowded": "一页最多放 200 件东西",
  "farAway": "放得离页面太远，或比页面大得太多",
  "fixedPages": "这本书的书页由月份或原稿决定，不能单独增减",
  "frame": "位置和大小须是数字，边长不小于 1 毫米",
  "noId": "新放的东西没有编号",
  "noPair": "书页总是相对的两页一起增减和移动",
  "noSuchPlace": "没有这个层次",
  "radius": "圆角须在 0 到 200 毫米之间",
  "rotation": "旋转角度须在 −360 到 360 度之间",
  "size": "字号只能调 -4 到 8 级",
  "takenId": "编号 {} 已经有了",
  "takenPage": "编号 {} 的书页已经有了",
  "textLength": "一段文字最多 500 个字",
  "tooManyPages": "作品的页数超过了 2000 页",
  "unknownElement": "这一页上没有这件东西",
  "unknownPage": "没有这一页",
  "unknownProperty": "这件东西没有“{}”这个属性",
  "wrongValue": "“{}”的值不对"
} as const;

export const MASKS = [
  {
    "code": "round",
    "corners": [
      true,
      true,
      true,
      true
    ],
    "name": "圆"
  },
  {
    "code": "arch",
    "corners": [
      true,
      true,
      false,
      false
    ],
    "name": "拱"
  },
  {
    "code": "leaf",
    "corners": [
      true,
      false,
      true,
      false
    ],
    "name": "叶"
  },
  {
    "code": "drop",
    "corners": [
      true,
      true,
      true,
      false
    ],
    "name": "滴"
  }
] as const;

export const ORNAMENTS = [
  {
    "code": "frame",
    "name": "边框",
    "runsAlongEdges": true,
    "size": [
      20.0,
      20.0
    ]
  },
  {
    "code": "double-frame",
    "name": "双线框",
    "runsAlongEdges": true,
    "size": [
      40.0,
      40.0
    ]
  },
  {
    "code": "corners",
    "name": "角花",
    "runsAlongEdges": true,
    "size": [
      60.0,
      60.0
    ]
  },
  {
    "code": "medallion",
    "name": "圆章",
    "runsAlongEdges": false,
    "size": [
      26.0,
      26.0
    ]
  },
  {
    "code": "sprig",
    "name": "枝叶",
    "runsAlongEdges": false,
    "size": [
      44.0,
      16.0
    ]
  },
  {
    "code": "rule",
    "name": "横饰",
    "runsAlongEdges": false,
    "size": [
      56.0,
      6.0
    ]
  },
  {
    "code": "wreath",
    "name": "花环",
    "runsAlongEdges": false,
    "size": [
      40.0,
      40.0
    ]
  },
  {
    "code": "plum",
    "name": "梅枝",
    "runsAlongEdges": false,
    "size": [
      48.0,
      30.0
    ]
  },
  {
    "code": "cloud",
    "name": "祥云",
    "runsAlongEdges": false,
    "size": [
      46.0,
      30.0
    ]
  },
  {
    "code": "compass",
    "name": "罗盘",
    "runsAlongEdges": false,
    "size": [
      40.0,
      40.0
    ]
  },
  {
    "code": "waves",
    "name": "水波",
    "runsAlongEdges": false,
    "size": [
      56.0,
      10.0
    ]
  },
  {
    "code": "stars",
    "name": "星光",
    "runsAlongEdges": false,
    "size": [
      40.0,
      25.0
    ]
  },
  {
    "code": "heart",
    "name": "心形",
    "runsAlongEdges": false,
    "size": [
      24.0,
      22.0
    ]
  }
] as const;
