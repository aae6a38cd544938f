// What Swift cannot see of libav (macros, variadics) and what differs between FFmpeg 5.1 and 8.
#pragma once

#include <errno.h>
#if defined(__linux__)
#include <malloc.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>
#endif
#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/samplefmt.h>
#include <libavutil/sha.h>
#include <libavutil/version.h>

#if LIBAVUTIL_VERSION_INT < AV_VERSION_INT(57, 28, 100)
#error "reels-prep needs FFmpeg 5.1 or later"
#endif

// AVERROR() and the tagged errors are macros.
static inline int rp_averror(int posix) { return AVERROR(posix); }
static inline int rp_posix_error(int averror) { return AVUNERROR(averror); }
static const int rp_error_again = AVERROR(EAGAIN);
static const int rp_error_eof = AVERROR_EOF;
static const int rp_error_invalid_data = AVERROR_INVALIDDATA;
static const int rp_error_exit = AVERROR_EXIT;
static const int rp_error_external = AVERROR_EXTERNAL;
static const int rp_error_out_of_memory = AVERROR(ENOMEM);
static const int rp_error_decoder_not_found = AVERROR_DECODER_NOT_FOUND;
static const int rp_error_encoder_not_found = AVERROR_ENCODER_NOT_FOUND;
static const int rp_error_stream_not_found = AVERROR_STREAM_NOT_FOUND;

static const int64_t rp_no_pts = AV_NOPTS_VALUE;

// FFmpeg 6.0 renamed pkt_duration; 6.1 moved two fields into flags.
static inline int64_t rp_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 2, 100)
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}

static inline int rp_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 29, 100)
  return (frame->flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
  return frame->interlaced_frame;
#endif
}

static inline void rp_frame_clear_interlaced(AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 29, 100)
  frame->flags &= ~AV_FRAME_FLAG_INTERLACED;
#else
  frame->interlaced_frame = 0;
#endif
}

// FFmpeg 6.1 moved a stream's side data into its codec parameters.
static inline void rp_clear_side_data(AVCodecParameters *parameters) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
  av_packet_side_data_free(&parameters->coded_side_data, &parameters->nb_coded_side_data);
#endif
}

static inline const uint8_t *rp_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 31, 102)
  const AVPacketSideData *data = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  *size = data ? data->size : 0;
  return data ? data->data : NULL;
#else
  return av_stream_get_side_data(stream, type, size);
#endif
}

// A codec's profile constants moved to defs.h in FFmpeg 6.1 and the FF_ names went in 8.
#ifdef AV_PROFILE_H264_HIGH
static const int rp_profile_h264_high = AV_PROFILE_H264_HIGH;
static const int rp_profile_aac_low = AV_PROFILE_AAC_LOW;
#else
static const int rp_profile_h264_high = FF_PROFILE_H264_HIGH;
static const int rp_profile_aac_low = FF_PROFILE_AAC_LOW;
#endif

// The format context's io_open refuses: no input makes the program open another file.
static inline int rp_refuse_open(AVFormatContext *context, AVIOContext **io, const char *url,
                                 int flags, AVDictionary **options) {
  (void)context, (void)io, (void)flags, (void)options;
  av_log(NULL, AV_LOG_ERROR, "refused to open '%s': inputs may not name other files\n", url);
  return AVERROR(EACCES);
}

static inline void rp_refuse_other_files(AVFormatContext *context) {
  context->io_open = rp_refuse_open;
}

// The flag's bit has another meaning on other processors.
static inline int rp_cpu_has_avx512(void) {
#if defined(__x86_64__) || defined(__i386__)
  return (av_get_cpu_flags() & AV_CPU_FLAG_AVX512) != 0;
#else
  return 0;
#endif
}

// Private memory that the process has, as the limit counts it; 0 where that is not known.
static inline uint64_t rp_memory_used(void) {
  uint64_t pages = 0;
#if defined(__linux__)
  FILE *file = fopen("/proc/self/statm", "r");
  unsigned long long size, resident, shared, text, library, data;
  if (file && fscanf(file, "%llu %llu %llu %llu %llu %llu", &size, &resident, &shared, &text,
                     &library, &data) == 6)
    pages = data;
  if (file) fclose(file);
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
#else
  return pages;
#endif
}

// The limit on it; 0 for none.
static inline uint64_t rp_memory_limit(void) {
#if defined(__linux__)
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    return (uint64_t)limit.rlim_cur;
#endif
  return 0;
}

// Private memory that the process may have, threads' stacks included; Linux alone counts it so.
static inline int rp_limit_memory(uint64_t bytes) {
#if defined(__linux__)
  struct rlimit limit = {(rlim_t)bytes, (rlim_t)bytes};
  return setrlimit(RLIMIT_DATA, &limit);
#else
  (void)bytes;
  return 0;
#endif
}

// Large blocks come from the system and go back to it when they are freed, instead of being kept in
// each thread's arena. Only for a process of our own: it concerns all of it.
static inline void rp_return_large_blocks(void) {
#if defined(__GLIBC__)
  mallopt(M_MMAP_THRESHOLD, 256 * 1024);
#endif
}

