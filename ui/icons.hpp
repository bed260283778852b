#pragma once
// Code points of the Material Design Icons that the dashboard uses, as UTF-8.

namespace headroom::ui::icon {

inline constexpr const char* kAlert = "\xEF\x80\xA6";
inline constexpr const char* kAlertCircle = "\xEF\x97\x96";
inline constexpr const char* kArrowUp = "\xEF\x81\x9D";
inline constexpr const char* kAutoFix = "\xEF\x81\xA8";
inline constexpr const char* kBrightness = "\xEF\x83\x9E";
inline constexpr const char* kChartArea = "\xEF\x84\xA7";
inline constexpr const char* kChartBar = "\xEF\x84\xA8";
inline constexpr const char* kChartLine = "\xEF\x84\xAA";
inline constexpr const char* kCheck = "\xEF\x84\xAC";
inline constexpr const char* kCheckCircle = "\xEF\x97\xA1";
inline constexpr const char* kChevronDown = "\xEF\x85\x80";
inline constexpr const char* kChevronLeft = "\xEF\x85\x81";
inline constexpr const char* kChevronRight = "\xEF\x85\x82";
inline constexpr const char* kChip = "\xEF\x98\x9A";
inline constexpr const char* kClose = "\xEF\x85\x96";
inline constexpr const char* kCopy = "\xEF\x86\x8F";
inline constexpr const char* kDatabase = "\xEF\x86\xB8";
inline constexpr const char* kFlask = "\xEF\x82\x96";
inline constexpr const char* kFolder = "\xEF\x89\x96";
inline constexpr const char* kGrid = "\xEF\x8B\x81";
inline constexpr const char* kHarddisk = "\xEF\x8B\x8A";
inline constexpr const char* kHistory = "\xEF\x8B\x9A";
inline constexpr const char* kHome = "\xEF\x8B\x9C";
inline constexpr const char* kImage = "\xEF\x8B\xA9";
inline constexpr const char* kInformation = "\xEF\x8B\xBD";
inline constexpr const char* kList = "\xEF\x89\xB9";
inline constexpr const char* kMemory = "\xEF\x8D\x9B";
inline constexpr const char* kNight = "\xEF\x96\x94";
inline constexpr const char* kOpacity = "\xEF\x97\x8C";
inline constexpr const char* kPause = "\xEF\x8F\xA4";
inline constexpr const char* kPlay = "\xEF\x90\x8A";
inline constexpr const char* kRedo = "\xEF\x91\x8E";
inline constexpr const char* kRefresh = "\xEF\x91\x90";
inline constexpr const char* kSave = "\xEF\x86\x93";
inline constexpr const char* kSettings = "\xEF\x92\x93";
inline constexpr const char* kSourceBranch = "\xEF\x98\xAC";
inline constexpr const char* kStop = "\xEF\x93\x9B";
inline constexpr const char* kSwap = "\xEF\x93\xA1";
inline constexpr const char* kUndo = "\xEF\x95\x8C";

}  // namespace headroom::ui::icon
