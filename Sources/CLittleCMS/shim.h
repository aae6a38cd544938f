// What Swift cannot see of Little CMS: formats and colour spaces are macros.
#pragma once

#include <lcms2.h>

#if LCMS_VERSION < 2090
#error "reels-prep needs Little CMS 2.9 or later"
#endif

static const cmsUInt32Number rp_lcms_gray_16 = TYPE_GRAY_16;
static const cmsUInt32Number rp_lcms_cmyk_16 = TYPE_CMYK_16;
static const cmsUInt32Number rp_lcms_rgb_16 = TYPE_RGB_16;
