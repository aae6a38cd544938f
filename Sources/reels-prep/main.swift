print("reels-prep")
